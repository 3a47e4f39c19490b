// What a page shows and what it is made of, asked from inside.

/** All text of the page with the values of its fields, whether it is folded away or not. */
export const shownText = `(() => {
  const values = [...document.querySelectorAll('input, textarea, option')].map((each) => each.value);
  const named = [...document.querySelectorAll('[aria-label], [title]')]
    .map((each) => each.getAttribute('aria-label') ?? each.getAttribute('title'));
  return [document.documentElement.textContent, ...values, ...named].join(' ');
})()`;

/** Elements that no page of ours has. */
export const commanding =
  /^(iframe|frame|object|embed|base|style|portal|math|marquee|applet|animate|set|foreignObject)$/i;
/** Attributes that no element of ours has. */
export const handling = /^on|^style$|^srcdoc$|^ping$/;
/** Attributes whose values are addresses. */
export const leading = /^(xlink:)?href$|^src$|^action$|^formaction$|^data$|^poster$/;

/** What no page of ours has, whatever it shows: scripts and styles of others, handlers, ways elsewhere. */
export const strangersOnPage = `(() => {
  const found = [];
  if (window.__p !== undefined) found.push('a script ran');
  const own = (address) => new URL(address, location.href).origin === location.origin;
  // Asked of the prototype: a form whose field is called "attributes" hides its own.
  const { getAttributeNames: ownNames, getAttribute: ownValue } = Element.prototype;
  for (const each of document.querySelectorAll('*')) {
    const name = each.localName;
    if (${commanding}.test(name)) found.push('there is a ' + name);
    if (name === 'script' && (each.textContent !== '' || !own(each.src))) found.push('a script of others');
    if (name === 'meta' && each.httpEquiv !== '') found.push('a meta that commands');
    for (const attribute of ownNames.call(each)) {
      const value = ownValue.call(each, attribute) ?? '';
      if (${handling}.test(attribute)) found.push(name + ' has ' + attribute);
      if (!${leading}.test(attribute)) continue;
      const address = new URL(value, location.href);
      const leadsOut = name === 'a' && (each.rel ?? '').includes('noopener') && /^https?:$/.test(address.protocol);
      if (!own(address) && !leadsOut) found.push(name + ' leads to ' + value.slice(0, 100));
    }
  }
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  for (const id of new Set(ids.filter((each, at) => ids.indexOf(each) !== at))) found.push('two are called ' + id);
  if (document.querySelectorAll('main').length !== 1) found.push('there is not one main');
  if (document.querySelectorAll('h1').length !== 1) found.push('there is not one heading of the page');
  return found;
})()`;
