// Service worker: shows what alert channels of type webpush send, and opens its page.

self.addEventListener('push', (event) => {
  const { title, body, tag, url } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { url } }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

async function open(given) {
  const { scope } = self.registration;
  const url = new URL(given ?? scope, scope);
  const { href } = url.origin === self.location.origin ? url : new URL(scope);
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find((each) => each.url === href);
  return there === undefined ? self.clients.openWindow(href) : there.focus();
}
