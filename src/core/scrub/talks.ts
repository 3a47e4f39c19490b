// Secrets in what is said to servers and by them: Redis, IRC, SMTP, routers, agents of SNMP, validators.
// Their forms are no sentences; those are in prose.ts.
import { announceWords, family } from './kinds/look.ts';
import { type ExtraFields, judgeKey, promisesSecret } from './kinds/names.ts';
import { patternOf } from './kinds/patterns.ts';
import { hidesNothing, looksChosen } from './kinds/worth.ts';

const filtered = '[Filtered]';
announceWords(family.said, 'start', ['identify', 'snmp', 'rocommunity', 'rwcommunity']);

/** `AUTH hunter2` of Redis, `IDENTIFY hunter2` of IRC, alone on their line; 1: all in front of the secret. */
const serverLogin = patternOf(
  'g',
  String.raw`((?:^|\n|> |:)(?:AUTH|IDENTIFY)(?: [\w.@-]{1,64})? "?)`,
  String.raw`([^\s"]{6,256})(?="?\s{0,2}(?:\n|$))`,
);
/** What SMTP's server asks for, which is "Password:" in Base64, and 2: the answer. */
const mailPassword = patternOf(
  'g',
  String.raw`(334 UGFzc3dvcmQ6[^\n]{0,40}\n(?:[\w:<>-]{1,24} (?:-> \w{1,16}: )?)?['"]?)`,
  String.raw`([\w+/]{4,512}={0,2})(?=(?:\\r\\n)?['"]?\s{0,2}(?:\n|$))`,
);
/** `password 7 094F471A1A0A` of routers: the number says how it is coded. */
const numberedSecret = /(\b(?:password|secret|key|key-string) \d )([^\s"']{6,256})(?=\s{0,2}(?:\n|$))/g;
/** Names of SNMP that open a device: `rocommunity …`, `snmp-server community …`. */
const community = /(\b(?:snmp-server community|r[ow]community6?) "?)([^\s"]{4,128})/g;
/** What Pydantic was given for the field on the line above; 1: the field, 2: up to the value. */
const givenInput = /(?:^|\n)([\w.[\]-]{1,128})(\n {1,8}[^\n]{1,512}\binput_value=)('[^'\n]*'|"[^"\n]*")/g;

/** What validators of Java and .NET were given: `rejected value […]`, `invalidValue=…`; 1: up to it. */
const refusedInput = patternOf(
  'gi',
  String.raw`(rejected value \[|\b(?:invalid|attempted|rejected)Value["']?\s?[:=]\s?["']?)`,
  String.raw`([^"',}\]\n]{3,512})`,
);
/** The field that it was given for, in front of it: `on field 'x'`, `propertyPath=x`. */
const refusedField =
  /\b(?:on field |(?:propertyPath|propertyName|field|path)["']?\s?[:=]\s?)["']?([\w.[\]]{1,128})[^\n{}]*$/i;
const fieldCharsMax = 256;

/** What is said to servers and by them, in forms that no sentence has. */
export function scrubTalks(text: string, extra: ExtraFields, hit: () => void): string {
  const hide = (isSecret: (value: string) => boolean) => (whole: string, head: string, value: string) => {
    if (!isSecret(value) || hidesNothing(value, false)) return whole;
    hit();
    return `${head}${filtered}`;
  };
  let clean = text;
  if (/AUTH|IDENTIFY/.test(clean)) clean = clean.replace(serverLogin, hide(looksChosen));
  if (clean.includes('334 UGFz')) clean = clean.replace(mailPassword, hide(isCodedText));
  if (clean.includes('community')) clean = clean.replace(community, hide(looksChosen));
  if (/(?:password|secret|key|string) \d /.test(clean)) {
    clean = clean.replace(numberedSecret, hide(looksChosen));
  }
  return /input_value=|(?:invalid|attempted|rejected) ?value/i.test(clean)
    ? scrubRefused(clean, extra, hit)
    : clean;
}

/** What validators were given for a field that is called a secret. */
function scrubRefused(text: string, extra: ExtraFields, hit: () => void): string {
  const isSecret = (field: string, value: string): boolean =>
    promisesSecret(judgeKey(field, extra)) && !hidesNothing(value, true);
  return text
    .replace(givenInput, (whole: string, field: string, head: string, value: string) => {
      if (!isSecret(field, value.slice(1, -1))) return whole;
      hit();
      const quote = value[0] ?? '';
      return whole.slice(0, whole.indexOf(head)) + head + quote + filtered + quote;
    })
    .replace(refusedInput, (whole: string, head: string, value: string, at: number, all: string) => {
      const field = refusedField.exec(all.slice(Math.max(0, at - fieldCharsMax), at))?.[1];
      if (field === undefined || !isSecret(field, value)) return whole;
      hit();
      return head + filtered;
    });
}

/** Base64 of something that can be printed. */
function isCodedText(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(Buffer.from(text, 'base64').toString('latin1'));
}
