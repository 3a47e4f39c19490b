// Rate limit cost of an upload in items. Unsupported items do not use the quota of supported ones.
import { listUnsupportedCategories, supportedItemTypes } from './item-types.ts';
import { listDocumentEvents, type ParsedEnvelopeBody } from './parse-upload.ts';

interface RateLimitCost {
  readonly taken: number;
  readonly unsupported: number;
  readonly unsupportedCategories: readonly string[];
  /** Categories that an SDK must stop sending if the limit refuses the upload. */
  heldBack(): readonly string[];
}

const errors = (): readonly string[] => ['error'];

export function countRateLimitCost(upload: ParsedEnvelopeBody): RateLimitCost {
  if (upload.kind !== 'envelope') {
    return {
      taken: listDocumentEvents(upload).length,
      unsupported: 0,
      unsupportedCategories: [],
      heldBack: errors,
    };
  }
  const types = upload.envelope.items.map(({ type }) => type).filter((type) => type !== 'client_report');
  const unsupported = types.filter((type) => !supportedItemTypes.has(type));
  return {
    taken: types.length - unsupported.length,
    unsupported: unsupported.length,
    unsupportedCategories: unsupported.length === 0 ? [] : listUnsupportedCategories(unsupported),
    heldBack: () => limitedCategoriesOf(types.filter((type) => supportedItemTypes.has(type))),
  };
}

/** `monitor` for check-ins, `error` for everything else. */
function limitedCategoriesOf(taken: readonly string[]): string[] {
  return [...new Set(taken.map((type) => (type === 'check_in' ? 'monitor' : 'error')))].toSorted();
}
