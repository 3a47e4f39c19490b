// Bodies of the oldest Sentry clients: base64 of JSON, deflated by zlib or plain. Raven for Node, Python and
// PHP sends them as application/octet-stream without a Content-Encoding.
import { isZlib } from './encodings.ts';
import { type InflateOptions, inflateBody } from './inflate.ts';

const openBrace = 0x7b;

/**
 * The JSON that a body holds in base64; the body itself where it is no such thing. Throws as `inflateBody`
 * does: 400 `rest_payload_too_large` past `inflatedBytesMax` or for a bomb, 400 `notifier_invalid_encoding`.
 */
export async function decodeBase64Body(
  bytes: Buffer,
  inflatedBytesMax: number,
  options: InflateOptions & Required<Pick<InflateOptions, 'hold'>>,
): Promise<Buffer> {
  if (bytes[0] === openBrace) return bytes;
  // Without the blanks at its end first: a pattern that looks for them would try every line break as one.
  const text = bytes.toString('latin1').trimEnd();
  if (!/^[A-Za-z0-9+/_-][A-Za-z0-9+/_\r\n-]*={0,2}$/.test(text)) return bytes;
  const decoded = Buffer.from(text, 'base64');
  if (decoded[0] !== openBrace && !isZlib(decoded)) return bytes;
  options.hold(decoded.length);
  return decoded[0] === openBrace ? decoded : inflateBody([decoded], 'deflate', inflatedBytesMax, options);
}
