// Rate limit cost of an upload in items. Unsupported items do not use the quota of supported ones.
import { takenTypes, untakenCategories } from './item-types.ts';
import { eventsOf, type Upload } from './upload.ts';

interface UploadCost {
  readonly taken: number;
  readonly untaken: number;
  readonly untakenCategories: readonly string[];
  /** Categories that an SDK must stop sending if the limit refuses the upload. */
  heldBack(): readonly string[];
}

const errors = (): readonly string[] => ['error'];

export function costOf(upload: Upload): UploadCost {
  if (upload.kind !== 'envelope') {
    return { taken: eventsOf(upload).length, untaken: 0, untakenCategories: [], heldBack: errors };
  }
  const types = upload.envelope.items.map(({ type }) => type).filter((type) => type !== 'client_report');
  const untaken = types.filter((type) => !takenTypes.has(type));
  return {
    taken: types.length - untaken.length,
    untaken: untaken.length,
    untakenCategories: untaken.length === 0 ? [] : untakenCategories(untaken),
    heldBack: () => heldBackOf(types.filter((type) => takenTypes.has(type))),
  };
}

/** `monitor` for check-ins, `error` for everything else. */
function heldBackOf(taken: readonly string[]): string[] {
  return [...new Set(taken.map((type) => (type === 'check_in' ? 'monitor' : 'error')))].toSorted();
}
