// Log messages with placeholders for variable parts and for error codes: docs/grouping.md, "Messages".
import fc from 'fast-check';

const digits = (min: number, max: number) => fc.integer({ min, max }).map(String);
const hex = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: min, maxLength: max });
const two = (value: number) => String(value).padStart(2, '0');

/** Parts that differ between occurrences. */
export const noise: Readonly<Record<string, fc.Arbitrary<string>>> = {
  // Includes numbers that are also status or error codes.
  id: fc.oneof(
    digits(1, 9_999_999),
    fc.constantFrom('404', '500', '403', '401', '1062', '1045', '5432', '137', '2002'),
  ),
  count: digits(0, 99_999),
  uuid: fc.uuid(),
  hash: hex(40, 40).filter((text) => /\d/.test(text) && /[a-f]/.test(text)),
  shortHash: hex(7, 10).filter((text) => /\d/.test(text) && /[a-f]/.test(text)),
  address: hex(8, 12).map((text) => `0x7f${text.slice(2)}`),
  ip: fc.ipV4().filter((text) => /^\d/.test(text)),
  clock: fc.tuple(fc.nat(23), fc.nat(59), fc.nat(59)).map(([h, m, s]) => `${two(h)}:${two(m)}:${two(s)}`),
  date: fc
    .tuple(
      fc.integer({ min: 2000, max: 2099 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 28 }),
    )
    .map(([y, m, d]) => `${y}-${two(m)}-${two(d)}`),
  duration: fc
    .tuple(digits(1, 99_999), fc.constantFrom('ms', ' ms', 's', ' s', ' seconds'))
    .map((both) => both.join('')),
  size: fc
    .tuple(digits(1, 99_999), fc.constantFrom(' bytes', ' KB', 'MB', ' MiB'))
    .map((both) => both.join('')),
  percent: fc.nat(100).map((value) => `${value}%`),
  line: digits(1, 9_999),
  email: fc
    .tuple(fc.constantFrom('ann', 'bob.k', 'x+y'), digits(1, 999))
    .map(([name, n]) => `${name}${n}@mail.example`),
  // Enough digits and capitals to look random; otherwise it would be a name with a number.
  token: fc
    .string({
      unit: fc.constantFrom(...'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'),
      minLength: 28,
      maxLength: 40,
    })
    .filter((text) => /(?:\d.*){3}/.test(text) && /(?:[A-Z].*){3}/.test(text) && /[a-z]/.test(text)),
  temp: hex(6, 12)
    .filter((text) => /\d/.test(text))
    .map((text) => `/tmp/upload-${text}.part`),
};

/** Error codes by kind. */
export const codes: Readonly<Record<string, readonly string[]>> = {
  http: ['400', '401', '403', '404', '408', '409', '410', '422', '429', '500', '502', '503', '504'],
  mysql: ['1045', '1062', '1146', '1205', '1213', '2002', '2006', '1054', '1364'],
  sqlstate: ['23000', '23505', '42S02', '42P01', '40001', '57014', 'HY000', '08006', '53300'],
  errno: ['1', '2', '13', '24', '28', '32', '98', '104', '110', '111', '113'],
  exit: ['1', '2', '126', '127', '128', '134', '137', '139', '143', '255'],
  port: ['80', '443', '3306', '5432', '6379', '8080', '9200', '11211', '27017', '50051'],
  react: ['31', '130', '185', '300', '310', '418', '421', '423', '425'],
  curl: ['6', '7', '28', '35', '52', '56', '60'],
  oracle: ['00001', '00942', '01017', '01400', '12541', '12154', '04031'],
  hresult: ['0x80070005', '0x80070057', '0x80004005', '0x80131500', '0xC0000005', '0x800A03EC'],
  nsurl: ['-999', '-1001', '-1003', '-1004', '-1009', '-1200'],
  rpc: ['-32600', '-32601', '-32602', '-32603', '-32700', '-32000'],
  signal: ['4', '6', '7', '8', '9', '11', '15'],
};

/** `{id}` is variable, `{!http}` an error code. */
export const sentences: readonly string[] = [
  'Order {id} not found',
  'User {id} has no role',
  'No query results for cart {id}',
  'Invoice #{id} is locked since {clock}',
  'Retry {count} of {count} failed after {duration}',
  'Expected {count} rows, got {count}',
  'Upload of {size} exceeds the limit of {size}',
  'Allowed memory size of {count} bytes exhausted (tried to allocate {count} bytes)',
  'Maximum execution time of {count} seconds exceeded',
  'Job {uuid} timed out after {duration}',
  'commit {hash} is missing',
  'object at {address} was freed twice',
  'lock held by {uuid} until {date} {clock}',
  'could not parse date {date}',
  'message for {email} was rejected',
  'session {token} expired at {date}T{clock}Z',
  'cannot write {temp}',
  'disk is {percent} full, {size} left',
  'undefined offset: {count}',
  'index {count} out of bounds for length {count}',
  'lost connection to worker {id} after {count} messages',
  'thread {id} waited {duration} for lock {address}',
  'revision {shortHash} was not deployed on {date}',
  'the coupon code {id} is not valid',
  'customer {id} has {count} open orders',
  'page {count} of {count} is empty',
  'Client {ip} sent {count} requests in {duration}',
  'slow query: {duration}, {count} rows examined at line {line}',
  'Request failed with status code {!http}',
  'HTTP {!http} for order {id}',
  'Unexpected response status {!http} after {duration}',
  'GET https://api.shop.example/v1/orders/{id} responded with {!http}',
  'The remote server returned an error: ({!http}) for job {uuid}',
  'Failed to load resource: the server responded with a status of {!http}',
  'upstream answered {!http} to request {uuid}',
  '(Status Code: {!http}; Request ID: {uuid})',
  'SQLSTATE[HY000] [{!mysql}] cannot use connection {id}',
  'SQLSTATE[23000]: Integrity constraint violation: {!mysql} problem with row {id}',
  "({!mysql}, 'statement failed after {duration}')",
  'ERROR {!mysql} (HY000): statement {id} failed',
  'statement {id} failed (SQLSTATE {!sqlstate})',
  'SQLSTATE[{!sqlstate}]: statement failed in {duration}',
  '[Errno {!errno}] cannot use {temp}',
  'socket {id}: failed (os error {!errno})',
  'write failed, errno {!errno}, {count} bytes left',
  'worker {id} exited with code {!exit}',
  'process {id} exited with exit status {!exit} after {duration}',
  'Command failed with exit code {!exit} at {clock}',
  'child {id} was killed by signal {!signal}',
  'connect ECONNREFUSED {ip}:{!port}',
  'dial tcp {ip}:{!port}: connect: connection refused',
  'Failed to connect to db.shop.example port {!port} after {count} ms: Connection refused',
  'listen EADDRINUSE: address already in use :::{!port}',
  'Minified React error #{!react}; visit https://react.dev/errors/{!react} for the full message',
  'cURL error {!curl}: failed after {duration} with {count} bytes received',
  'ORA-{!oracle}: statement failed for user {id}',
  'Operation on {uuid} failed (Exception from HRESULT: {!hresult})',
  'Error Domain=NSURLErrorDomain Code={!nsurl} "task {id} failed"',
  'RPC Error: call {id} failed, code: {!rpc}',
];

const slot = /\{(!?)(\w+)\}/g;

export function codesIn(sentence: string): readonly string[] {
  return [...sentence.matchAll(slot)].filter(([, mark]) => mark === '!').map(([, , name = '']) => name);
}

export function written(sentence: string, code: Readonly<Record<string, string>>): fc.Arbitrary<string> {
  const slots = [...sentence.matchAll(slot)];
  const drawn = slots.map(([, mark, name = '']) =>
    mark === '!' ? fc.constant(code[name] ?? '') : (noise[name] ?? fc.constant('')),
  );
  return fc.tuple(...drawn).map((values) => {
    let at = 0;
    return sentence.replace(slot, () => values[at++] ?? '');
  });
}
