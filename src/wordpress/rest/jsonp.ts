// JSONP: which names of callbacks WordPress lets through.

/** Whether a callback's name holds nothing but ASCII letters, digits, `_` and `.`. */
export function isJsonpCallback(name: unknown): name is string {
  return typeof name === 'string' && /^[A-Za-z0-9_.]*$/.test(name);
}
