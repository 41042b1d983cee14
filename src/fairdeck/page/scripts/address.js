// The part of the address after #: a lesson or a code.

import { CODE } from "./code.js";

// A code gives the order away, so it leaves the address at once, but not the browser's history.
export function readFragment() {
  const fragment = location.hash.slice(1);
  if (fragment.startsWith(`${CODE}.`)) leaveFragment();
  return fragment;
}

export const leaveFragment = () => { if (location.hash) history.replaceState(null, "", location.pathname + location.search); };
