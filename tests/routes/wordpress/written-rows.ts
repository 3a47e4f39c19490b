// Rows written down: the product's own arguments through addresses, methods, bodies and the parameters that
// speak to WordPress.
import { addresses, methods } from './address-rows.ts';
import { credentials, lists, metaParameters, origins, unknownIds } from './answer-rows.ts';
import { brokenJson, sources } from './body-rows.ts';
import type { Row } from './expectations.ts';
import type { Keys } from './shared-rows.ts';
import { missingParameters, wrongParameters } from './wrong-parameters.ts';

/** Rows for a store without anything in it; none of them changes it. */
export function writtenRows(keys: Keys): Row[] {
  return [
    ...lists(keys),
    ...unknownIds(keys),
    ...missingParameters(keys),
    ...wrongParameters(keys),
    ...sources(keys),
    ...brokenJson(keys),
    ...metaParameters(keys),
    ...addresses(keys),
    ...methods(keys),
    ...origins(keys),
    ...credentials(keys),
  ];
}
