// What the names in a source map mean for people: bundler schemes, third-party code, functions not worth
// naming.

/** Names that bundlers' own wrappers carry: they say nothing about the program. */
const uselessFunctions = new Set(['', '?', '<anonymous>', '__webpack_require__', '__webpack_modules__']);

const bundlerScheme = /^(?:webpack|webpack-internal|turbopack):\/\/[^/]*\//;

/**
 * The file name to show: `webpack://pkg/./x` is `./x`, `webpack:///x` is `x`, everything else stands as it
 * is.
 */
export function shownSource(source: string): string {
  return source.replace(bundlerScheme, '');
}

/** The address of a source: itself when it has a scheme, else resolved against the address of its map. */
export function sourceAddress(source: string, mapAddress: string): string {
  if (URL.canParse(source)) return source;
  return URL.canParse(source, mapAddress) ? new URL(source, mapAddress).href : source;
}

/** Whether a source is someone else's code: installed packages and the bundler's runtime. */
export function isThirdParty(shown: string): boolean {
  return (
    shown.startsWith('~/') ||
    shown.startsWith('webpack/') ||
    shown.startsWith('(webpack)') ||
    shown.split('/').some((part) => part === 'node_modules' || part === '~')
  );
}

/** Whether a function's name is worth showing in place of the minified one. */
export function isUsefulFunction(name: string | null): name is string {
  return name !== null && !uselessFunctions.has(name);
}

/** Whether a source is a script, or holds some, so that its functions can be read. */
export function isScript(shown: string): boolean {
  return /\.(?:[cm]?[jt]sx?|vue|svelte)(?:[?#]|$)/i.test(shown);
}
