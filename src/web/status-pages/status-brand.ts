import type { PublicBrand } from '../../core/page-models/monitoring/status.ts';
import type { StatusPageUrls } from '../../core/page-models/monitoring/status-urls.ts';
import { type Content, el } from '../el.ts';
import type { PageContent, PageContext } from '../page-context.ts';

const logoHeightPx = 32;
const logoWidthPxMax = 240;

/** Decorative: the name of the page stands beside it. */
export function brandLogo({ logo }: PublicBrand, urls: StatusPageUrls, { base }: PageContext): Content {
  if (logo === null) return null;
  const scale = Math.min(logoHeightPx / logo.height, logoWidthPxMax / logo.width);
  const [width, height] = [logo.width, logo.height].map((pixels) => Math.max(1, Math.round(pixels * scale)));
  return el('img', { src: base + urls.logo, alt: '', width, height });
}

export function brandResources(
  { accent, has_favicon: hasIcon }: PublicBrand,
  urls: StatusPageUrls,
): Pick<NonNullable<PageContent['publicPage']>, 'icon' | 'sheet'> {
  return { icon: hasIcon ? urls.favicon : null, sheet: accent === null ? null : urls.accent };
}

/** A file of its own, since the pages allow no style in themselves. Null without a colour. */
export function accentSheet({ accent, text_on_accent: ink }: PublicBrand): string | null {
  if (accent === null) return null;
  return `.everybody .mast-head{border-block-end:3px solid ${accent}}
.everybody main a{text-decoration:underline 2px ${accent}}
.everybody .btn.primary{border-color:${accent};background:${accent};color:${ink}}
`;
}
