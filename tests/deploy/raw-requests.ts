// Requests whose target goes out byte for byte, which no HTTP client does, and who it was that answered them.
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Sent {
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly from?: string;
  readonly host?: string;
  /** Over TLS: the certificate that the other side is to show for `host`. */
  readonly certificate?: string;
}

/**
 * Sends a request with its target byte for byte, which no HTTP client does, and reads to the end of the
 * connection.
 */
export function send(port: number, method: string, target: string, sent: Sent = {}): Promise<Answer> {
  const { body = '' } = sent;
  const length = method === 'POST' ? [`Content-Length: ${Buffer.byteLength(body)}`] : [];
  const lines = [
    `Host: ${sent.host ?? `127.0.0.1:${port}`}`,
    'Connection: close',
    ...length,
    ...(sent.headers ?? []),
  ];
  const head = `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', localAddress: sent.from ?? '127.0.0.1' };
    const begin = (): void => void socket.write(head + body);
    const { certificate: ca, host: servername = '' } = sent;
    const socket =
      ca === undefined
        ? connect(options, begin)
        : connectSecurely({ ...options, ca, servername, minVersion: 'TLSv1.2' }, begin);
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(readAnswer(text)));
  });
}

function readAnswer(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((each) => {
      const colon = each.indexOf(':');
      return [each.slice(0, colon).toLowerCase(), each.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(line.split(' ')[1]), headers, body: text.slice(end + 4) };
}

/** Who answered: only we send this header, and only nginx itself names itself in its pages. */
export function answerer(answer: Answer): 'notifier' | 'WordPress' | 'nginx' {
  if (answer.headers['cross-origin-resource-policy'] !== undefined) return 'notifier';
  return /<center>nginx/.test(answer.body) ? 'nginx' : 'WordPress';
}

/** Sends the head of a request that announces a body, and nothing of the body. */
export function sendHead(port: number, target: string, length: number, key?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const headers = [
        `Host: 127.0.0.1:${port}`,
        `Content-Length: ${length}`,
        'Origin: https://shop.example',
      ];
      if (key !== undefined) headers.push(`X-Notifier-Key: ${key}`);
      socket.write(`POST ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      // nginx keeps bodies until they are whole, but for artifacts.
      if (key !== undefined) socket.write(Buffer.alloc(length, 0x20));
    });
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += chunk;
      const announced = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      const end = text.indexOf('\r\n\r\n');
      if (end < 0 || announced === undefined || text.length < end + 4 + Number(announced)) return;
      socket.destroy();
      resolve(readAnswer(text));
    });
    socket.on('error', reject);
    socket.on('end', () => reject(new Error(`no whole answer: ${text}`)));
  });
}
