// Keeps the page on the device, so that it opens with no network. A new version of the page comes with
// a new version here: it is fetched whole, then takes the place of the old one.

const KEPT = "fairdeck-{{version}}", FILES = ["./", "manifest.webmanifest", "icon-192.png", "icon-512.png"];

async function keep() {
  const cache = await caches.open(KEPT);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
  await skipWaiting();
}

async function dropOlder() {
  for (const name of await caches.keys()) if (name.startsWith("fairdeck-") && name !== KEPT) await caches.delete(name);
  await clients.claim();
}

async function answer(request) {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(request.mode === "navigate" ? "./" : request, { ignoreSearch: true });
  return kept || fetch(request);
}

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(dropOlder()));
addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && new URL(event.request.url).origin === location.origin) event.respondWith(answer(event.request));
});
