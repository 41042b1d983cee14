// Keeps the page on the device, so that it opens with no network; with one, the newest page is shown. A
// new version of the page comes with a new version here, and takes the place of the old one.

const OURS = `fairdeck ${registration.scope} `, KEPT = `${OURS}{{version}}`, PATIENCE_MS = 2000;
const FILES = ["./", "manifest.webmanifest", "icon-192.png", "icon-512.png", ...`{{others}}`.split(" ").filter(Boolean)];
const placeOf = (name) => new URL(name, registration.scope).href;
const PAGES = ["./", "index.html"].map(placeOf), OTHERS = FILES.slice(1).map(placeOf);

// An answer that was redirected cannot be given again as it is, so its content is kept alone.
async function keep() {
  const cache = await caches.open(KEPT);
  for (const file of FILES) {
    const found = await fetch(new Request(file, { cache: "reload" }));
    if (!found.ok) throw new TypeError(`${file} is not there`);
    await cache.put(file, new Response(await found.blob(), { headers: found.headers }));
  }
  await skipWaiting();
}

async function dropOlder() {
  for (const name of await caches.keys()) if (name.startsWith(OURS) && name !== KEPT) await caches.delete(name);
  await clients.claim();
}

const kept = async (request) => (await caches.open(KEPT)).match(request, { ignoreSearch: true, ignoreVary: true });
const late = () => new Promise((_, fail) => setTimeout(fail, PATIENCE_MS));

// An error page of the server is no better than no answer; a redirect is followed by the browser.
async function page(request) {
  const found = await Promise.race([fetch(request), late()]).catch(() => Response.error());
  return found.ok || found.type === "opaqueredirect" ? found : (await kept("./")) || found;
}

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(dropOlder()));
addEventListener("fetch", (event) => {
  const place = event.request.url.replace(/[?#].*/, "");
  if (event.request.method !== "GET") return;
  if (PAGES.includes(place)) event.respondWith(page(event.request));
  else if (OTHERS.includes(place)) event.respondWith(kept(event.request).then((found) => found || fetch(event.request)));
});
