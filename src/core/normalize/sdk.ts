// The SDK that sent an event (docs/events.md, "Fields").
import { largeBag } from '../reading/bounded-json.ts';
import { cutText } from '../reading/cut-text.ts';
import type { TextRule } from '../reading/field-table.ts';
import type { Fields } from '../reading/fields.ts';
import type { JsonRecord } from '../reading/lenient.ts';

const word: TextRule = { charsMax: 128, over: 'cut', lenient: true };

/**
 * What the event says of its SDK; where it says nothing, its User-Agent or sentry_client may
 * (`raven-php/1.2`).
 */
export function readSdk(event: Fields, name: string, userAgent: string): JsonRecord | undefined {
  const sdk = event.record(name);
  if (sdk === undefined) return sdkOfClient(userAgent);
  sdk.text('name', word);
  sdk.text('version', word);
  sdk.rest(largeBag);
  return sdk.keptIfAny();
}

function sdkOfClient(userAgent: string): JsonRecord | undefined {
  const client = /^([a-z][\w.-]{1,63})\/(\d[\w.+-]{0,31})(?:\s|$)/i.exec(cutText(userAgent, 256));
  const isTool = /^(?:mozilla|opera|curl|wget|wordpress|okhttp|dalvik)$/i.test(client?.[1] ?? '');
  return client === null || isTool ? undefined : { name: client[1], version: client[2] };
}
