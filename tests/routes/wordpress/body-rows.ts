// Where a parameter comes from, and bodies that are no JSON.
import { badJson, type Complaint, invalid, missing, type Row, wrongType } from './expectations.ts';
import { api, empty, form, json, type Keys, post } from './shared-rows.ts';

/** Where a parameter comes from, and which source wins: every source is checked, the strongest first. */
export function sources(keys: Keys): Row[] {
  const { secret } = keys;
  const bounds: Complaint = [
    'per_page',
    'rest_out_of_bounds',
    'per_page must be between 1 (inclusive) and 100 (inclusive)',
  ];
  const get = { method: 'GET', headers: [secret], status: 400, allow: 'POST, GET' };
  const write = { ...get, method: 'POST', path: `${api}/releases` };
  const list = wrongType('version', 'string,null');
  return [
    { ...get, name: 'per_page in the query', path: `${api}/releases?per_page=500`, body: invalid(bounds) },
    {
      ...get,
      name: 'the last of two',
      path: `${api}/releases?per_page=5&per_page=500`,
      body: invalid(bounds),
    },
    { ...get, name: 'a good last one', path: `${api}/releases?per_page=500&per_page=5`, ...empty },
    { ...get, name: 'decoded', path: `${api}/releases?per%5Fpage=%35%30%30`, body: invalid(bounds) },
    { ...get, name: 'a dot is an underscore', path: `${api}/releases?per.page=500`, body: invalid(bounds) },
    {
      ...get,
      name: 'a list where a number is due',
      path: `${api}/releases?per_page[]=5`,
      body: invalid(wrongType('per_page', 'integer')),
    },
    {
      ...get,
      name: 'JSON with GET',
      path: `${api}/releases`,
      headers: [secret, json],
      sent: '{"per_page":500}',
      body: invalid(bounds),
    },
    {
      ...get,
      name: 'bad in the query though good in JSON',
      path: `${api}/releases?per_page=500`,
      headers: [secret, json],
      sent: '{"per_page":5}',
      body: invalid(bounds),
    },
    {
      ...get,
      name: 'a form with GET is not read',
      path: `${api}/releases`,
      headers: [secret, form],
      sent: 'per_page=500',
      ...empty,
    },
    { ...get, name: 'an integral float', path: `${api}/releases?per_page=5.0`, ...empty },
    {
      ...get,
      name: 'a number with a fraction',
      path: `${api}/releases?per_page=5.5`,
      body: invalid(wrongType('per_page', 'integer')),
    },
    { ...get, name: 'blanks around a number', path: `${api}/releases?per_page=%205%20`, ...empty },
    { ...write, name: 'a form', headers: [secret, form], sent: 'version[]=1', body: invalid(list) },
    { ...write, name: 'a form of nothing', headers: [secret, form], sent: 'a=1', body: missing('version') },
    {
      ...write,
      name: 'multipart',
      headers: [secret, ['Content-Type', 'multipart/form-data; boundary=b']],
      sent: '--b\r\nContent-Disposition: form-data; name="version[]"\r\n\r\n1\r\n--b--\r\n',
      body: invalid(list),
    },
    {
      ...write,
      name: 'a form without a type',
      headers: [secret],
      sent: 'version[]=1',
      body: missing('version'),
    },
    {
      ...write,
      name: 'JSON as text',
      headers: [secret, ['Content-Type', 'text/plain']],
      sent: '{"version":[]}',
      body: missing('version'),
    },
    {
      ...write,
      name: 'JSON by a longer name',
      headers: [secret, ['Content-Type', 'application/vnd.api+json; x=1']],
      sent: '{"version":[]}',
      body: invalid(list),
    },
    {
      ...write,
      name: 'the query fills what the body leaves out',
      path: `${api}/releases?version[]=1`,
      headers: [secret, json],
      sent: '{}',
      body: invalid(list),
    },
    {
      ...post(keys, '/store', '{"message":5}'),
      name: '/store reads JSON whatever the type says',
      headers: [keys.key, ['Content-Type', 'text/plain']],
      status: 400,
      body: invalid(wrongType('message', 'string,object')),
    },
    {
      ...post(keys, '/store', '{"message":5}'),
      name: '/store reads JSON without a type',
      headers: [keys.key],
      status: 400,
      body: invalid(wrongType('message', 'string,object')),
    },
    {
      ...post(keys, '/store', 'message[a]=1&platform[]=2'),
      name: '/store reads a form',
      headers: [keys.key, form],
      status: 400,
      body: invalid(wrongType('platform', 'string')),
    },
  ];
}

export function brokenJson(keys: Keys): Row[] {
  const rows: ReadonlyArray<readonly [string, number, string]> = [
    ['{"version":"1"', 4, 'Syntax error'],
    ['{"version":"1",}', 4, 'Syntax error'],
    [' ', 4, 'Syntax error'],
    ['{"version":[1}', 2, 'State mismatch (invalid or malformed JSON)'],
    ['{"version":"a', 3, 'Control character error, possibly incorrectly encoded'],
    ['{"version":"a\u0001"}', 3, 'Control character error, possibly incorrectly encoded'],
    ['{"version":"\\ud83d"}', 10, 'Single unpaired UTF-16 surrogate in unicode escape'],
    [`{"version":${'['.repeat(100)}${']'.repeat(100)}}`, 1, 'Maximum stack depth exceeded'],
    ['\ufeff{"version":"1"}', 4, 'Syntax error'],
  ];
  return ['/releases', '/store'].flatMap((path) =>
    // An event is kept though its text is broken, or behind a byte order mark.
    rows
      .filter(([sent, code]) => path !== '/store' || (code !== 10 && !sent.startsWith('\ufeff')))
      .map(([sent, code, message]) => ({
        ...post(keys, path, sent),
        name: `${path} is sent ${JSON.stringify(sent.slice(0, 30))}`,
        status: 400,
        body: badJson(code, message),
      })),
  );
}
