// Long work in slices, so that the page answers in between.

const SLICE_MS = 14;

// Runs what a generator does, unless `over()` says that nobody waits for it any more; true if it came to its end.
/** @type {(work: Iterator<any>, over?: () => boolean) => Promise<boolean>} */
export async function inSlices(work, over = () => false) {
  while (!over()) {
    for (const end = performance.now() + SLICE_MS; performance.now() < end;) if (work.next().done) return true;
    await new Promise((resume) => setTimeout(resume));
  }
  return false;
}
