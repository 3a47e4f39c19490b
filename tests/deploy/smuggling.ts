// Requests that two readers may take for a different number of requests. What matters is not what a proxy
// answers, but that Notifier never sees more requests than its sender gets answers, and that nobody else's
// answer moves.
import { connect } from 'node:net';

const hiddenFor = (wpPath: string): string =>
  `GET ${wpPath}/wp-json/notifier/v1/smuggled HTTP/1.1\r\nHost: a\r\nX-Notifier-Smuggled: 1\r\n\r\n`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

/** What stands after `POST /wp-json/notifier/v1/store HTTP/1.1\r\nHost: a\r\n`, by name. */
const afterHost = (hidden: string): Record<string, string> => ({
  'length and chunks': `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
  'chunks and length': `Transfer-Encoding: chunked\r\nContent-Length: ${hidden.length + 5}\r\n\r\n0\r\n\r\n${hidden}`,
  'length of nothing before chunks': `Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(hidden)}0\r\n\r\n`,
  'two lengths, the short first': `Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  'two lengths, the long first': `Content-Length: ${hidden.length}\r\nContent-Length: 0\r\n\r\n${hidden}`,
  'two lengths in one line': `Content-Length: 0, ${hidden.length}\r\n\r\n${hidden}`,
  'a length with a sign': `Content-Length: +${hidden.length}\r\n\r\n${hidden}`,
  'a length below nothing': `Content-Length: -1\r\n\r\n${hidden}`,
  'a length in hex': `Content-Length: 0x${hidden.length.toString(16)}\r\n\r\n${hidden}`,
  'a length with a blank inside': `Content-Length: 1 0\r\n\r\n${hidden}`,
  'a length of many digits': `Content-Length: 18446744073709551616\r\n\r\n${hidden}`,
  'an empty length': `Content-Length: \r\n\r\n${hidden}`,
  'a blank before the colon': `Content-Length: 0\r\nTransfer-Encoding : chunked\r\n\r\n${chunk(hidden)}0\r\n\r\n`,
  'a blank before the colon of the length': `Content-Length : ${hidden.length}\r\n\r\n${hidden}`,
  'a tab before the value': `Content-Length: 0\r\nTransfer-Encoding:\tchunked\r\n\r\n${chunk(hidden)}0\r\n\r\n`,
  'a name with a byte too many': `Content-Length: 0\r\nTransfer-Encoding\x0b: chunked\r\n\r\n${chunk(hidden)}0\r\n\r\n`,
  'a folded line': `Content-Length: 0\r\nX: y\r\n Transfer-Encoding: chunked\r\n\r\n${hidden}`,
  'a folded value': `Content-Length: 0\r\nTransfer-Encoding:\r\n chunked\r\n\r\n${chunk(hidden)}0\r\n\r\n`,
  'an encoding nobody knows': `Content-Length: 0\r\nTransfer-Encoding: xchunked\r\n\r\n${hidden}`,
  'an encoding after chunked': `Content-Length: 0\r\nTransfer-Encoding: chunked, identity\r\n\r\n${chunk(hidden)}0\r\n\r\n`,
  'two encodings': `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\nContent-Length: 0\r\n\r\n${chunk(hidden)}0\r\n\r\n`,
  'an encoding in quotes': `Content-Length: 0\r\nTransfer-Encoding: "chunked"\r\n\r\n${hidden}`,
  'a bare LF between headers': `Content-Length: 0\nTransfer-Encoding: chunked\r\n\r\n${chunk(hidden)}0\r\n\r\n`,
  'a bare CR between headers': `Content-Length: 0\rTransfer-Encoding: chunked\r\n\r\n${chunk(hidden)}0\r\n\r\n`,
  'a null in a header': `Content-Length: 0\r\nX: a\0b\r\n\r\n${hidden}`,
  'a chunk without its size': `Transfer-Encoding: chunked\r\n\r\n\r\n${hidden}`,
  'a chunk of negative size': `Transfer-Encoding: chunked\r\n\r\n-1\r\n${hidden}`,
  'a chunk of a size past all numbers': `Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n${hidden}`,
  'a chunk of size 0x0': `Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${hidden}`,
  'a chunk longer than it says': `Transfer-Encoding: chunked\r\n\r\n1\r\nXY\r\n0\r\n\r\n${hidden}`,
  'a chunk ended by LF': `Transfer-Encoding: chunked\r\n\r\n1\nX\n0\n\n${hidden}`,
  'an extension of a chunk with LF': `Transfer-Encoding: chunked\r\n\r\n0;a\n${hidden}\r\n\r\n`,
  'a length among the trailers': `Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 5\r\n\r\n${hidden}`,
  'a length named by Connection': `Connection: Content-Length\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  'an expectation and a length of nothing': `Expect: 100-continue\r\nContent-Length: 0\r\n\r\n${hidden}`,
});

const wholes = (wpPath: string, start: string, hidden: string): Record<string, string> => ({
  'a second host': `${start} HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 0\r\n\r\n${hidden}`,
  'a whole address for another host': `POST http://b${wpPath}/wp-json/notifier/v1/store HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n${hidden}`,
  'a blank more in the first line': `${start}  HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n${hidden}`,
  'a line break in the address': `GET ${wpPath}/wp-json/notifier/v1/x%0d%0aX-A:%20b HTTP/1.1\r\nHost: a\r\n\r\n${hidden}`,
  'chunks in HTTP/1.0': `${start} HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
  'HTTP/0.9': `GET ${wpPath}/wp-json/notifier/v1/smuggled\r\n\r\n${hidden}`,
  'HTTP/1.1 with a version too far': `${start} HTTP/1.11\r\nHost: a\r\nContent-Length: 0\r\n\r\n${hidden}`,
  'a body of a GET': `GET ${wpPath}/wp-json/notifier/v1 HTTP/1.1\r\nHost: a\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
});

/** Every case as it goes over the wire, for a site in the folder `wpPath`. */
export function smugglingCases(wpPath: string): ReadonlyArray<readonly [name: string, bytes: string]> {
  const hidden = hiddenFor(wpPath);
  const start = `POST ${wpPath}/wp-json/notifier/v1/store`;
  const rests = Object.entries(afterHost(hidden)).map(
    ([name, rest]) => [name, `${start} HTTP/1.1\r\nHost: a\r\n${rest}`] as const,
  );
  return [...rests, ...Object.entries(wholes(wpPath, start, hidden))];
}

/** Nobody waits for ever for what will not come. */
const patienceMs = 4_000;

/** Sends bytes as they are and counts the answers until the connection ends or nothing more comes. */
export function answersTo(port: number, wpPath: string, bytes: string): Promise<number> {
  const last = `GET ${wpPath}/wp-json/notifier/v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')));
    // What comes after the attack ends the connection of whoever still listens on it.
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on('data', (data) => {
      if (text === '') socket.write(last);
      text += data.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      const count = [...text.matchAll(/HTTP\/1\.[01] (?!100)\d{3}/g)].length;
      // An answer of HTTP/0.9 has no first line.
      resolve(count === 0 && text !== '' ? 1 : count);
    });
  });
}
