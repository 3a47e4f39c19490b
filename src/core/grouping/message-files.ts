import { findComponentOfPath } from '../wordpress-components/component-paths.ts';
import { normalizeFileName } from './names/file-names.ts';
import type { Protect } from './protected-text.ts';

/** A plugin, theme or template file, the name of a missing file, or else `<path>`. */
export function replaceFilePaths(text: string, hide: Protect): string {
  const isMissing = missingFile.test(text);
  return text
    .replace(
      /(['"])((?:~?\/|[a-z]:[\\/])[^'"<>|*?]{1,512})(?=\1)/gi,
      (_whole, quote: string, path: string) => quote + filePlace(path, false, isMissing, hide),
    )
    .replace(
      /([(\s]|^)(~?(?:[a-z]:)?[\\/](?!\d{1,3}(?:\.\d{1,3}){3}(?!\w))(?:[^\s"'<>|:*?()]{0,512}[\\/])?[^\s"'<>|:*?()\\/]{1,128})(?:\?[^\s"'<>)\]}]{0,512})?((?: on line |:| \(|\()\d{1,7}\)?)?/gi,
      (_whole, before: string, path: string, line: string | undefined) =>
        `${before}${filePlace(path, line !== undefined, isMissing, hide)}${line ?? ''}`,
    );
}

function filePlace(path: string, hasLine: boolean, isMissing: boolean, hide: Protect): string {
  const site = pluginOrThemeFile(path);
  if (site !== null) return hide(site);
  if (/\.(?:blade\.php|twig|phtml|erb|haml|hbs|ejs|liquid|cshtml|jinja2?)$/i.test(path)) {
    return hide(path.split(/[\\/]/).slice(-2).join('/').toLowerCase());
  }
  const missing = !hasLine && isMissing ? fileShape(path) : '';
  if (missing !== '') return hide(missing);
  // PHP messages end with `in FILE on line N`.
  if (hasLine && /\.(?:php|phtml|inc|module|twig|tpl)$/i.test(path)) return hide(normalizeFileName(path));
  return '<path>';
}

/** The name of a missing or unreadable file identifies the fault. */
const missingFile =
  /\bENOENT\b|\bEACCES\b|no such file|cannot find the (?:file|path)|could not find (?:a part of the path|file)|file not found|failed to open stream|failed opening|permission denied/i;

function fileShape(path: string): string {
  const base = normalizeFileName(path.split(/[\\/]/).at(-1) ?? '');
  return /^[a-z_.-]{1,256}\.[a-z]{2,5}$/i.test(base) &&
    /[a-z]{3}.*\./i.test(base) &&
    !/\.(?:tmp|log|lock|png|jpe?g|gif|webp|pdf|csv|zip|gz|xlsx?|mp4|sock)$/i.test(base)
    ? base
    : '';
}

/** Such as `plugins/woocommerce/class-wc-order.php`; null for a file of no plugin or theme. */
export function pluginOrThemeFile(path: string): string | null {
  const code = findComponentOfPath(path);
  if (code === null) return null;
  const name = normalizeFileName(code.file);
  return `${code.kind}s/${code.slug.toLowerCase()}${name === '' ? '' : `/${name}`}`;
}
