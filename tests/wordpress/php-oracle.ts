// Asks the real PHP: one process, a script and many inputs, one line out for each. And one dump of a value
// for both.
import { execFileSync } from 'node:child_process';
import { encodePhpString } from '../../src/wordpress/php/strings.ts';
import {
  entriesOf,
  isPhpArray,
  isPhpFloat,
  isPhpInt,
  PhpObject,
  type PhpValue,
  toJsNumber,
} from '../../src/wordpress/php/values.ts';

/**
 * Runs `body` (PHP, sees the input in `$input`, must `return` a string) for every input in one PHP process
 * and returns the results in order. `dump($value)` is there and writes what `dumpValue` writes.
 */
export function askPhp(php: string, body: string, inputs: readonly Uint8Array[]): string[] {
  const script = `
    function dump($v) {
      if ($v === null) return 'n';
      if (is_bool($v)) return $v ? 't' : 'f';
      if (is_int($v)) return 'i' . $v;
      if (is_float($v)) return 'd' . bin2hex(pack('E', $v));
      if (is_string($v)) return 's' . bin2hex($v);
      $o = is_object($v) ? 'o{' : 'a{';
      foreach ($v as $k => $m) $o .= bin2hex((string) $k) . '=' . dump($m) . ';';
      return $o . '}';
    }
    $ask = function (string $input) { ${body} };
    while (($line = fgets(STDIN)) !== false) echo bin2hex($ask(base64_decode(rtrim($line)))), "\\n";`;
  const options = ['-d', 'serialize_precision=-1', '-d', 'memory_limit=512M', '-d', 'display_errors=stderr'];
  const output = execFileSync(php, [...options, '-r', script], {
    input: inputs.map((input) => `${Buffer.from(input).toString('base64')}\n`).join(''),
    maxBuffer: 512 * 1024 * 1024,
    encoding: 'latin1',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => Buffer.from(line, 'hex').toString('latin1'));
}

/** The value in a form in which two values are equal only if they are the same to PHP. */
export function dumpValue(value: PhpValue): string {
  if (value === null) return 'n';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (isPhpInt(value)) return `i${typeof value === 'number' ? value.toFixed(0).replace(/^-0$/, '0') : value}`;
  if (isPhpFloat(value)) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(toJsNumber(value));
    return `d${bytes.toString('hex')}`;
  }
  if (typeof value === 'string') return `s${hexOf(value)}`;
  const open = value instanceof PhpObject || !isPhpArray(value) ? 'o{' : 'a{';
  return `${open}${entriesOf(value)
    .map(([key, member]) => `${hexOf(key)}=${dumpValue(member)};`)
    .join('')}}`;
}

function hexOf(text: string): string {
  return Buffer.from(encodePhpString(text)).toString('hex');
}
