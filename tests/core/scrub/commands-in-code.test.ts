import { describe, expect, it } from '@jest/globals';
import { computeFingerprint, explainGrouping } from '../../../src/core/grouping/fingerprint.ts';
import { scrubEvent } from '../../../src/core/scrub/event.ts';
import { normalized } from '../../support/events.ts';

const secrets = ['hunter2', 'correct-horse', 'CanaryBravo', 'cnryQ7w8E9'];
const options = { extraFields: [], storeIpAddresses: false, clientAddress: '' };
const scrubbedWith = (frame: object, value = 'failed') =>
  scrubEvent(
    normalized({
      platform: 'python',
      exception: {
        values: [
          {
            type: 'CalledProcessError',
            value,
            stacktrace: { frames: [{ function: 'f', filename: 'a.py', in_app: true, ...frame }] },
          },
        ],
      },
    }),
    options,
  ).event;
const frameOf = (frame: object): Record<string, unknown> =>
  scrubbedWith(frame).exception?.values[0]?.stacktrace?.frames[0] as Record<string, unknown>;
const keptOf = (line: string): unknown => frameOf({ context_line: line })['context_line'];

describe('variables', () => {
  it.each([
    [(s: string) => ['mysqldump', '--password', s, 'shop']],
    [(s: string) => ["'mysqldump'", "'--password'", `'${s}'`, "'shop'"]],
    [(s: string) => ["b'deploy'", "b'--token'", `b'${s}'`]],
    [(s: string) => ["'curl'", "'-u'", `'ann:${s}'`]],
    [(s: string) => ["'mysql'", `'-p${s}'`, "'shop'"]],
    [(s: string) => `['mysqldump', '--password', '${s}', 'shop']`],
    [(s: string) => `CompletedProcess(args=['deploy', '--api-key', '${s}'], returncode=1)`],
    [(s: string) => `{'args': ('deploy', '--token', '${s}'), 'timeout': 3}`],
    [(s: string) => `"['deploy', '--token', '${s}']"`],
    [(s: string) => JSON.stringify(['deploy', '--token', s])],
    [(s: string) => `[PosixPath('/usr/bin/deploy'), '--token', '${s}']`],
    [(s: string) => `['curl', '-H', 'Authorization: Bearer ${s}', 'https://a.test']`],
    [(s: string) => `deploy --token ${s} --verbose`],
  ])('lose the value after its flag: %p', (write) => {
    for (const secret of secrets) {
      const clean = JSON.stringify(frameOf({ vars: { args: write(secret) } }));
      expect([clean, clean.includes(secret)]).toEqual([clean, false]);
    }
  });

  it.each([
    [['deploy', '--user', 'ann', '--verbose', 'shop']],
    [["'deploy'", "'--password'", "'--verbose'"]],
    [['deploy', '--max-tokens', '4096']],
    ["['deploy', '--user', 'ann', 'shop']"],
    ["['deploy', '--password', '--verbose']"],
    ['[--user, --password, --token]'],
    ['deploy --token --verbose'],
    ["['deploy', '--token-file', '/run/token']"],
  ])('keep what is no secret: %p', (args) => {
    expect(frameOf({ vars: { args } })['vars']).toEqual({ args });
  });
});

describe('literals of a source line', () => {
  it.each([
    ["subprocess.run(['mysqldump', '--password', '%', 'shop'])"],
    ["subprocess.run(['mysql', '-p%', 'shop'])"],
    ["subprocess.run(['curl', '-u', 'ann:%', url])"],
    ["subprocess.run(['curl', '-H', 'X-Api-Key: %'])"],
    ['exec.Command("deploy", "--token", "%")'],
    ['Runtime.exec(new String[]{"deploy", "--token", "%"})'],
    ['Command::new("deploy").arg("--token").arg("%")'],
    ['os.system("mysqldump --password=% shop")'],
    ['os.system("mysqldump --password % shop")'],
    ['os.system("PGPASSWORD=% pg_dump shop")'],
    ['system("curl -u ann:% https://a.test")'],
    ["system('sshpass -p % ssh a.test')"],
    ['connect("host=db user=ann password=%")'],
    ['sql.Open("postgres", "user=ann password=% dbname=shop")'],
    ['new SqlConnection("Server=db;User Id=ann;Password=%;Pooling=true")'],
    ['requests.get("https://a.test/v1?api_key=%")'],
    ["fetch('https://a.test/v1?x=1&api_key=%&y=2')"],
    ['fetch(`https://a.test/v1?api_key=%&id=$'.concat('{id}`)')],
    ['url = base + "?token=%&x=" + y'],
    ['const API_KEY: &str = "%";'],
    ['static PASSWORD: &\'static str = "%";'],
    ['Dim password As String = "%"'],
    ['(def password "%")'],
    ['(connect {:user "ann" :password "%"})'],
    ['req.SetBasicAuth("ann", "%")'],
    ['client.get(url).basic_auth("ann", Some("%"))'],
    ["  request.basic_auth 'ann', '%'"],
    ['http_basic_auth "ann", "%" if staging?'],
    ["system('npm config set //registry.a.test/:_authToken %')"],
    ["exec('wp config set DB_PASSWORD % --quiet')"],
  ])('lose their secrets, as the grouping does: %s', (line) => {
    for (const secret of secrets) {
      const event = scrubbedWith({ context_line: line.replace('%', secret) }, line.replace('%', secret));
      const grouping = computeFingerprint(event);
      const kept = JSON.stringify([event, grouping, explainGrouping(event, grouping.hash)]);
      expect([kept, kept.includes(secret)]).toEqual([kept, false]);
    }
    const kept = keptOf(line.replace('%', 'hunter2'));
    expect(kept).toBe(line.replace('%', '[Filtered]'));
  });

  it.each([
    ['connect(password=password2, token=token)'],
    ['url = base + "?token=" + token'],
    ["$url = $base . '?api_key=' . $key;"],
    ['print(f"password={password!r}")'],
    ['f"https://a.test/?api_key={config.key(1)}"'],
    ['fetch(`/v1?api_key=$'.concat('{keys[0]}`)')],
    ['"password=$secret9x and #{secret}"'],
    ['"password=%s token=%(token)s key=?"'],
    ['parser.add_argument("-p", "--password", "the_password")'],
    [".option('--token', 'the token to use')"],
    ["$('input[name=password]').val()"],
    ['while (--tokens > 0) next();'],
    ['zip(names, curl)  # mysql -p'],
    ['raise ValueError("X-Api-Key: missing")'],
    ['let token: &str = name;'],
    ['Dim password As String = input'],
    ['(defn password "of whoever signs in" [x] x)'],
    ['(get row :password "none")'],
    ['client.get(url).basic_auth(Some("ann"), name("ann"))'],
    ['password_field = request.form'],
    ["basic_auth 'ann', token"],
    ["request.basic_auth 'ann'"],
    ["system('npm config set registry https://a.test/')"],
    ["exec('git config user.name Ann')"],
    ['subprocess.run(["ftp", "--passive", host])'],
    ["// headers === { 'set-cookie': ['a=b', 'c=d'] }"],
  ])('keep values that are not secret: %s', (line) => {
    expect(keptOf(line)).toBe(line);
  });

  it('in a comment and in a multi-line string lose a chosen password', () => {
    expect(keptOf('# password=hunter2')).toBe('# password=[Filtered]');
    expect(keptOf('  deploy --token hunter2 shop')).toBe('  deploy --token [Filtered] shop');
    expect(keptOf('# password=other')).toBe('# password=other');
  });
});
