// What an upload costs: items, not bodies (D-20). Items of types that we do not
// take never use up the limit of those that we take (D-13).
import { takenTypes, untakenCategories } from './item-types.ts';
import { eventsOf, type Upload } from './upload.ts';

interface UploadCost {
  /** Items that we act on; reports of losses are free. */
  readonly taken: number;
  /** Items of types that we do not take. */
  readonly untaken: number;
  /** The categories of those, in the words of the SDKs. */
  readonly untakenCategories: readonly string[];
  /** What an SDK is to hold back where the limit refuses what is taken. Asked then alone. */
  heldBack(): readonly string[];
}

const errors = (): readonly string[] => ['error'];

/** Counts the items of an upload by who pays for them. */
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

/** Errors for all that has part in them, as before there were jobs; check-ins are held back by themselves. */
function heldBackOf(taken: readonly string[]): string[] {
  return [...new Set(taken.map((type) => (type === 'check_in' ? 'monitor' : 'error')))].toSorted();
}
