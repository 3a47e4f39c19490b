// Tags whose attributes name a secret in one and hold it in another: `<input name="csrf_token" value="…">`,
// in either order; and fields of dumps that do so: `{'value': '…', 'name': 'password'}`.
import { announceWords, family } from './look.ts';
import { type ExtraFields, judgeKey, promisesSecret } from './names.ts';
import { patternOf } from './patterns.ts';
import { hidesNothing } from './worth.ts';

const filtered = '[Filtered]';
announceWords(family.call, 'start', ['methodname']);
const tag = /<[A-Za-z][^<>]{8,1024}>/g;
const nameAttribute = /\b(?:name|key|id|property)\s{0,2}=\s{0,2}\\{0,4}["']([\w.[\]:-]{1,128})\\{0,4}["']/gi;
const valueAttribute = /(\b(?:value|content|data-value)\s{0,2}=\s{0,2})("[^"]*"|'[^']*')/i;
const quote = String.raw`\\{0,4}["']`;
const assigns = String.raw`\s{0,2}(?:=>|[:=])\s{0,2}`;
/** 1: up to the value, 2: the value, 3: up to the name behind it, 4: the name. */
const valueFirst = patternOf(
  'gi',
  String.raw`(["']?\b(?:value|val|content)\b\\{0,4}["']?${assigns}${quote})`,
  String.raw`([^"'\\\n]{1,1024})`,
  String.raw`(${quote}\s{0,2},\s{0,16}\\{0,4}["']?(?:name|key|field)\\{0,4}["']?${assigns}${quote})`,
  String.raw`([\w.[\] -]{1,64})`,
);

/** Text whose tags and pairs of fields keep no secret. */
export function scrubMarkup(text: string, extra: ExtraFields, hit: () => void): string {
  const isSecret = (name: string, value: string): boolean =>
    promisesSecret(judgeKey(name, extra)) && !hidesNothing(value, true) && !/^\d{1,3}$/.test(value);
  let clean = text;
  if (clean.includes('<')) {
    clean = clean.replace(tag, (whole: string) => {
      const value = valueAttribute.exec(whole)?.[2]?.slice(1, -1);
      if (value === undefined) return whole;
      const names = [...whole.matchAll(nameAttribute)].map((match) => match[1] ?? '');
      if (!names.some((name) => isSecret(name, value))) return whole;
      hit();
      return whole.replace(valueAttribute, (_all, head: string) => `${head}"${filtered}"`);
    });
  }
  if (!/name|key|field/i.test(clean)) return clean;
  return clean.replace(
    valueFirst,
    (whole: string, head: string, value: string, between: string, name: string) => {
      if (!isSecret(name, value)) return whole;
      hit();
      return `${head}${filtered}${between}${name}`;
    },
  );
}

/** Methods of blogs: who signs in stands among the first arguments, and none has a name. */
const blogMethod = /<methodName>\s{0,8}(?:wp|metaWeblog|mt|blogger|demo)\.\w{1,64}\s{0,8}<\/methodName>/;
const argument = /(<param>\s{0,16}<value>\s{0,16}(?:<string>)?)([^<>]{1,1024})(?=<\/(?:string|value)>)/g;
const signInArguments = 4;

/** A call of XML-RPC without its first arguments that are text. */
export function scrubRemoteCalls(text: string, hit: () => void): string {
  if (!blogMethod.test(text)) return text;
  let place = 0;
  return text.replace(argument, (whole: string, head: string, value: string) => {
    place += 1;
    if (place > signInArguments || /^\s*\d*\s*$/.test(value) || hidesNothing(value, true)) return whole;
    hit();
    return `${head}${filtered}`;
  });
}
