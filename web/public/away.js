// The service worker of the house. It keeps one page, which says that the house is away, and shows it only
// where the house cannot be reached. Nothing of the house is ever served from here: no page, no script, no
// table, so that nothing old looks like something live.
const KEPT = "away-1";
const AWAY = "/away.html";
const STYLE = "/away.css";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll([AWAY, STYLE])));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  const others = (names) => names.filter((name) => name !== KEPT).map((name) => caches.delete(name));
  event.waitUntil(caches.keys().then((names) => Promise.all(others(names))));
});

self.addEventListener("fetch", (event) => {
  const isStyle = new URL(event.request.url).pathname === STYLE;
  if (event.request.mode !== "navigate" && !isStyle) return;
  const away = () => caches.match(isStyle ? STYLE : AWAY).then((kept) => kept ?? Response.error());
  event.respondWith(fetch(event.request).catch(away));
});
