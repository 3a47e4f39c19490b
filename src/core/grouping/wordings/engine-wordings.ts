// What browsers say of one fault, each in its own words, brought to one form: faults of the DOM and of the
// language. The rows of `wordings` are those of MDN's JavaScript error reference (V8, SpiderMonkey,
// JavaScriptCore). Part of `ng2` (docs/grouping.md, "Messages"). Patterns are anchored and bounded; they see
// one line of at most 2,048 characters.

import { engineWording as wordingBefore } from '../ng1/wordings.ts';
import { domWording } from './dom-wordings.ts';
import { runtimeWordings } from './runtime-wordings.ts';
import { sourceWordings } from './source-wordings.ts';

const wordings = [...runtimeWordings, ...sourceWordings];

/**
 * The one form of what browsers say in their own words each, null for any other message. Names of
 * properties stay where the engines say them, so that two properties are two faults. `type` is that of the
 * exception, empty where it is not known.
 */
export function engineWording(line: string, type: string): string | null {
  const found = domWording(line, type) ?? languageWording(line);
  return found ?? wordingBefore(line);
}

function languageWording(line: string): string | null {
  for (const [pattern, form] of wordings) {
    const match = pattern.exec(line);
    if (match === null) continue;
    if (typeof form === 'string') return form;
    const [first = '', second = ''] = match.slice(1).filter((group) => group !== undefined);
    return form(first, second).trim();
  }
  return null;
}
