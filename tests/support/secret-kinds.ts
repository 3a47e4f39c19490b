// Texts with secrets for tests of scrubbing, as functions of the secret.
import { saidByTools, toldByTools } from './secret-kinds-of-tools.ts';

/** `strong`: recognized by context. `weak`: only if the secret looks machine-made too. */
export interface SecretKind {
  readonly name: string;
  readonly strength: 'strong' | 'weak';
  readonly write: (secret: string) => string;
}

const b64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const json = (value: unknown): string => JSON.stringify(value);

type Writers = Readonly<Record<string, (secret: string) => string>>;

const separators: Writers = {
  'equals sign': (s) => `login password=${s} failed`,
  'spaced equals sign': (s) => `db_password = ${s}`,
  colon: (s) => `Password: ${s}`,
  'two spaces and a colon': (s) => `api_key          : ${s}`,
  arrow: (s) => `password → ${s}`,
  'double arrow': (s) => `secret ⇒ ${s}`,
  'dash arrow': (s) => `token -> ${s}`,
  'long arrow': (s) => `api_key ⟶ ${s}`,
  'hash rocket': (s) => `password => ${s}`,
  'walrus sign': (s) => `password := "${s}"`,
  'is and a colon': (s) => `password is: ${s}`,
  'full-width colon': (s) => `パスワード：${s}`,
  'no equals': (s) => `WHERE password != '${s}'`,
  'triple equals': (s) => `if (password === '${s}') return`,
  'tab column': (s) => `password\t${s}`,
  'aligned column': (s) => `user         ann\npassword     ${s}\nhost         db`,
  'psql expanded row': (s) => `id       | 7\npassword | ${s}\nname     | ann`,
  'markdown row': (s) => `| password | ${s} |`,
  'bold name': (s) => `**Password:** ${s}`,
  'code span': (s) => 'the `password`: `'.concat(s, '` was wrong'),
  'a word in brackets': (s) => `password (temporary): ${s}`,
  'two words': (s) => `API key: ${s}`,
  'activation key': (s) => `Activation Key: ${s}`,
  'smart quotes': (s) => `password: “${s}”`,
  'next line': (s) => `password:\n  ${s}\nuser: ann`,
  German: (s) => `Passwort: ${s}`,
  French: (s) => `mot_de_passe=${s}`,
  Portuguese: (s) => `senha: ${s}`,
  Russian: (s) => `пароль: ${s}`,
  Chinese: (s) => `密码：${s}`,
  'a form body': (s) => `user=ann&password=${s}&remember=1`,
  'a name with brackets': (s) => `user%5Bpassword%5D=${s}&a=1`,
  'coded once': (s) => `next=%2Flogin%3Fpassword%3D${s}%26a%3D1`,
  'coded twice': (s) => `next=%252Flogin%253Fpassword%253D${s}`,
  'coded JSON': (s) => `body=%7B%22password%22%3A%22${s}%22%7D`,
  'header line': (s) => `GET / HTTP/1.1\r\nHost: a.test\r\nX-Api-Key: ${s}\r\nAccept: */*`,
  'cookie line': (s) => `Cookie: theme=dark; sid=${s}; lang=en`,
  'set-cookie line': (s) => `< Set-Cookie: wordpress_logged_in_ab12=ann%7C${s}; path=/`,
  'form-data part': (s) => `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${s}\r\n--b--`,
  'form-data part with a type': (s) =>
    `--b\r\nContent-Disposition: form-data; name="api_key"\r\nContent-Type: text/plain\r\n\r\n${s}\r\n--b--`,
  'a colour code': (s) => `\u001b[32mpassword\u001b[0m: \u001b[33m${s}\u001b[0m`,
};

const formats: Writers = {
  JSON: (s) => `got {"user":"ann","password":"${s}","a":1} back`,
  'JSON in JSON': (s) => `got ${json(json({ user: 'ann', password: s }))} back`,
  'JSON in JSON in JSON': (s) => `got ${json(json(json({ password: s, a: 1 })))} back`,
  'JSON with an escaped name': (s) => `got {"pass\\u0077ord":"${s}"} back`,
  'JSON name and value': (s) => `[{"name":"api_key","value":"${s}"}`,
  'JSON value and name': (s) => `[{"value":"${s}","name":"api_key"}`,
  'a name in percent signs': (s) => `a=1&%70assw%6Frd=${s}`,
  'a name in entities': (s) => `pass&#119;ord=${s}`,
  'a name in hex escapes': (s) => `"pass\\x77ord": "${s}"`,
  'quotes as entities': (s) => `{&quot;password&quot;:&quot;${s}&quot;}`,
  'quotes as numeric entities': (s) => `{&#34;password&#34;:&#34;${s}&#34;}`,
  'PHP serialized': (s) => `a:2:{s:4:"user";s:3:"ann";s:8:"password";s:${s.length}:"${s}";}`,
  'PHP serialized, nested': (s) => `a:1:{s:2:"db";a:2:{s:4:"host";s:1:"h";s:4:"pass";s:${s.length}:"${s}";}}`,
  'PHP serialized below a secret': (s) => `a:1:{s:11:"credentials";a:1:{i:0;s:${s.length}:"${s}";}}`,
  'PHP serialized object': (s) => `O:4:"User":1:{s:14:"Userpassword";s:${s.length}:"${s}";}`,
  'PHP serialized in JSON': (s) => json(`s:8:"password";s:${s.length}:"${s}";`),
  print_r: (s) => `Array\n(\n    [user] => ann\n    [password] => ${s}\n)\n`,
  'print_r of an object': (s) => `User Object\n(\n    [password:protected] => ${s}\n)`,
  'print_r of a private property': (s) => `(\n    [token:App\\User:private] => ${s}\n)`,
  var_export: (s) => `array (\n  'password' => '${s}',\n)`,
  var_dump: (s) => `array(1) {\n  ["password"]=>\n  string(${s.length}) "${s}"\n}`,
  'var_dump of an object': (s) =>
    `object(User)#1 (1) {\n  ["password":"User":private]=>\n  string(${s.length}) "${s}"\n}`,
  'Symfony dump': (s) => `User {#12\n  -password: "${s}"\n}`,
  YAML: (s) => `db:\n  user: ann\n  password: ${s}\n`,
  'YAML tag': (s) => `password: !!str ${s}`,
  'YAML own tag': (s) => `api_key: !secret ${s}`,
  'YAML anchor': (s) => `password: &pw ${s}`,
  'YAML block': (s) => `password: |\n  ${s}\n  more\nuser: ann`,
  'YAML folded block': (s) => `  token: >-\n    ${s}\n  user: ann`,
  'YAML name and value': (s) => `env:\n  - name: DB_PASSWORD\n    value: ${s}\n`,
  'YAML flow': (s) => `{user: ann, password: ${s}}`,
  TOML: (s) => `[db]\npassword = "${s}"\n`,
  INI: (s) => `[db]\npassword=${s}\n`,
  dotenv: (s) => `APP_ENV=local\nDB_PASSWORD=${s}\n`,
  'shell export': (s) => `export AWS_SECRET_ACCESS_KEY=${s}`,
  properties: (s) => `spring.datasource.password=${s}`,
  Dockerfile: (s) => `ENV NPM_TOKEN ${s}`,
  Python: (s) => `{'user': 'ann', 'password': '${s}'}`,
  'Python bytes': (s) => `{'password': b'${s}'}`,
  'Python keyword': (s) => `User(name='ann', password='${s}')`,
  'Python tuple': (s) => `('password', '${s}')`,
  'Python list of pairs': (s) => `[('user', 'ann'), ('password', '${s}')]`,
  'pair in brackets': (s) => `['password', '${s}']`,
  'Ruby symbol': (s) => `{:user=>"ann", :password=>"${s}"}`,
  'Ruby inspect': (s) => `#<User id: 1, password: "${s}">`,
  'Ruby instance variable': (s) => `#<User:0x01 @password="${s}">`,
  'Java toString': (s) => `User{name='ann', password='${s}'}`,
  'Java Lombok': (s) => `User(name=ann, password=${s})`,
  'Java record': (s) => `User[name=ann, password=${s}]`,
  'Go %+v': (s) => `{Name:ann Password:${s} Age:3}`,
  'Go map': (s) => `map[password:${s} user:ann]`,
  'Go %#v': (s) => `main.User{Name:"ann", Password:"${s}"}`,
  'Rust debug': (s) => `User { name: "ann", password: Some("${s}") }`,
  'Swift optional': (s) => `password: Optional("${s}")`,
  'Elixir map': (s) => `%{"password" => "${s}"}`,
  'Perl dumper': (s) => `$VAR1 = { 'password' => '${s}' };`,
  'XML element': (s) => `<user><password>${s}</password></user>`,
  'XML element with attributes': (s) => `<wsse:Password Type="Text">${s}</wsse:Password>`,
  'XML CDATA': (s) => `<password><![CDATA[${s}]]></password>`,
  'XML attribute': (s) => `<db user="ann" password="${s}"/>`,
  'XML name and value': (s) => `<add key="Password" value="${s}" />`,
  'XML entry': (s) => `<entry key="password">${s}</entry>`,
  'XML-RPC member': (s) => `<member><name>password</name><value><string>${s}</string></value></member>`,
  'XML in entities': (s) => `&lt;password&gt;${s}&lt;/password&gt;`,
  'HTML input': (s) => `<input type="hidden" name="csrf_token" value="${s}">`,
  'HTML input, value first': (s) => `<input type="hidden" value="${s}" name="csrf_token">`,
  'HTML meta': (s) => `<meta name="csrf-token" content="${s}">`,
  CSV: (s) => `id,user,password\n1,ann,${s}\n2,bob,x`,
  TSV: (s) => `user\tpassword\trole\nann\t${s}\tadmin`,
  'MySQL table': (s) =>
    `+----+----------+\n| id | password |\n+----+----------+\n| 1  | ${s} |\n+----+----------+`,
  'PEM key': (s) => `-----BEGIN RSA PRIVATE KEY-----\nMIIE${s}\n-----END RSA PRIVATE KEY-----`,
  'PEM key cut short': (s) => `-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl${s}\nAAAA`,
  'PGP key': (s) => `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQ${s}\n-----END PGP PRIVATE KEY BLOCK-----`,
  'PuTTY key': (s) =>
    `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\n${s.replaceAll(/\W/g, 'x')}AAAA==\nPrivate-MAC: 00`,
};

const statements: Writers = {
  'SQL identified by': (s) => `CREATE USER ann IDENTIFIED BY '${s}'`,
  'SQL identified with': (s) => `ALTER USER 'a'@'%' IDENTIFIED WITH mysql_native_password BY '${s}'`,
  'SQL set password': (s) => `SET PASSWORD FOR 'ann'@'%' = '${s}'`,
  'SQL password function': (s) => `SET PASSWORD = PASSWORD('${s}')`,
  'SQL with password': (s) => `ALTER ROLE ann WITH ENCRYPTED PASSWORD '${s}'`,
  'SQL update': (s) => "UPDATE `users` SET `password` = '".concat(s, "' WHERE id = 3"),
  'SQL insert': (s) => `INSERT INTO users (name, password) VALUES ('ann', '${s}')`,
  'SQL insert with values in the open': (s) => `(SQL: insert into users (name, password) values (ann, ${s}))`,
  'SQL in list': (s) => `SELECT 1 FROM t WHERE token IN ('${s}')`,
  'SQL like': (s) => `SELECT 1 FROM t WHERE api_key LIKE '${s}%'`,
  'SQL digest': (s) => `SELECT 1 FROM users WHERE password = MD5('${s}')`,
  'connection string': (s) => `Server=db;Database=shop;User Id=sa;Pwd=${s};`,
  'storage account': (s) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${s};`,
  JDBC: (s) => `jdbc:mysql://db/shop?user=ann&password=${s}`,
  'JDBC of Oracle': (s) => `jdbc:oracle:thin:scott/${s}@//db:1521/x`,
  libpq: (s) => `host=db user=ann password=${s} dbname=shop`,
  'user in a URL': (s) => `postgres://ann:${s}@db.internal:5432/shop`,
  'password alone in a URL': (s) => `redis://:${s}@cache:6379/0`,
  'git remote': (s) => `fatal: could not read from https://oauth2:${s}@git.test/a/b.git`,
  'user and host': (s) => `connect to ann:${s}@db.internal failed`,
  netrc: (s) => `machine api.test login ann password ${s}`,
  pgpass: (s) => `db.internal:5432:shop:ann:${s}`,
};

const commands: Writers = {
  'mysql -p': (s) => `mysql -u root -p${s} shop`,
  'mysql -p behind a path': (s) => `/usr/bin/mysqldump --all -p'${s}' > a.sql`,
  'a command as a list': (s) => `Command '['mysqldump', '-u', 'root', '-p${s}', 'shop']' returned 2`,
  'sshpass -p': (s) => `sshpass -p ${s} ssh ann@host`,
  'sshpass glued': (s) => `sshpass -p${s} ssh ann@host`,
  'redis-cli -a': (s) => `redis-cli -h cache -a ${s} ping`,
  'curl -u': (s) => `curl -s -u ann:${s} https://api.test/`,
  'curl --user': (s) => `curl --user "ann:${s}" https://api.test/`,
  'curl header': (s) => `curl -H 'X-Api-Key: ${s}' https://api.test/`,
  'curl cookie': (s) => `curl -b 'sid=${s}' https://api.test/`,
  'long option': (s) => `pg_tool --password ${s} --host db`,
  'long option with a sign': (s) => `pg_tool --api-key=${s} --host db`,
  'one dash': (s) => `keytool -storepass ${s} -list`,
  'environment in front': (s) => `PGPASSWORD=${s} psql -h db shop`,
  'docker login': (s) => `docker login -u ann -p ${s} registry.test`,
  mongodump: (s) => `mongodump --host db -u ann -p ${s}`,
  sqlplus: (s) => `sqlplus scott/${s}@prod`,
  sqlcmd: (s) => `sqlcmd -S db -U sa -P ${s} -Q "select 1"`,
  ldapsearch: (s) => `ldapsearch -D cn=admin -w ${s} -b dc=x`,
  zip: (s) => `zip -r -P ${s} out.zip dir`,
  '7z': (s) => `7z x -p${s} out.7z`,
  openssl: (s) => `openssl enc -aes-256-cbc -pass pass:${s} -in a`,
  smbclient: (s) => `smbclient //host/share -U ann%${s}`,
  htpasswd: (s) => `htpasswd -bc /etc/htpasswd ann ${s}`,
  'sudo by a pipe': (s) => `echo ${s} | sudo -S reboot`,
  'docker by a pipe': (s) => `echo "${s}" | docker login -u ann --password-stdin`,
  'net user': (s) => `net user ann ${s} /add`,
  'vault login': (s) => `vault login ${s}`,
  'mc alias': (s) => `mc alias set minio https://s3.test AKEY ${s}`,
  'from literal': (s) => `kubectl create secret generic db --from-literal=password=${s}`,
  PowerShell: (s) => `ConvertTo-SecureString "${s}" -AsPlainText -Force`,
  'PowerShell option': (s) => `New-User -Name ann -Password ${s}`,
  chpasswd: (s) => `echo 'ann:${s}' | chpasswd`,
};

const calls: Writers = {
  'a setter': (s) => `user.setPassword('${s}')`,
  'a fluent setter': (s) => `client.withApiKey("${s}").build()`,
  'a keyed setter': (s) => `config.set("password", "${s}")`,
  'a header setter': (s) => `req.setHeader('X-Api-Key', '${s}')`,
  'form append': (s) => `form.append('client_secret', '${s}');`,
  login: (s) => `login(user, "${s}")`,
  'login with two literals': (s) => `smtp.login('ann@x.test', '${s}')`,
  connect: (s) => `$db = mysqli_connect('localhost', 'root', '${s}', 'shop');`,
  PDO: (s) => `new PDO($dsn, 'root', '${s}')`,
  'a PHP trace': (s) => `#0 /app/db.php(12): PDO->__construct('mysql:host=db', 'root', '${s}', Array)`,
  'a PHP trace of a login': (s) => `#3 /app/a.php(3): App\\Auth->attemptLogin('ann', '${s}')`,
  'basic auth': (s) => `requests.get(url, auth=('ann', '${s}'))`,
  'basic auth class': (s) => `HTTPBasicAuth('ann', '${s}')`,
  define: (s) => `define( 'DB_PASSWORD', '${s}' );`,
  putenv: (s) => `putenv("API_KEY=${s}");`,
  setenv: (s) => `os.environ["API_TOKEN"] = "${s}"`,
  'a default': (s) => `env('DB_PASSWORD', '${s}')`,
  hmac: (s) => `hash_hmac('sha256', $body, '${s}')`,
  'signing a token': (s) => `jwt.sign({ id: 1 }, '${s}')`,
  hashing: (s) => `password_hash("${s}", PASSWORD_BCRYPT)`,
  'a typed constant': (s) => `const password: string = "${s}";`,
  'a template string': (s) => 'const apiKey = `'.concat(s, '`;'),
  'a class constant': (s) => `private static final String SECRET = "${s}";`,
  'a wrapper': (s) => `password = SecretStr("${s}")`,
  'bytes in Go': (s) => `secret := []byte("${s}")`,
  'a credential object': (s) => `new NetworkCredential("ann", "${s}")`,
};

const sentences: Writers = {
  'password is': (s) => `the password for ann is ${s}.`,
  'using password': (s) => `cannot connect using password '${s}'`,
  'with password': (s) => `login ann with password ${s} failed`,
  'API key provided': (s) => `Incorrect API key provided: ${s}`,
  'invalid token': (s) => `token ${s} is invalid`,
  'bearer in a sentence': (s) => `sent Bearer ${s} to the server`,
  'basic in a header': (s) => `Authorization: Basic ${b64(`ann:${s}`)}`,
};

const links: Writers = {
  'OAuth code and state': (s) => `GET /callback?code=${s}&state=af0ifjsldkj HTTP/1.1`,
  'OAuth state': (s) => `https://a.test/oauth/callback?code=4%2F0AX4XfWh&state=${s}`,
  'OAuth form': (s) => `grant_type=authorization_code&code=${s}&redirect_uri=https%3A%2F%2Fa.test`,
  'access token in a fragment': (s) => `https://a.test/#access_token=${s}&token_type=bearer`,
  'id token': (s) => `https://a.test/cb#id_token=${s}`,
  'refresh token form': (s) => `grant_type=refresh_token&refresh_token=${s}`,
  'client assertion': (s) => `client_assertion=${s}&client_id=x`,
  'device code': (s) => `device_code=${s}&client_id=x`,
  'code verifier': (s) => `code_verifier=${s}&client_id=x`,
  'SAML response': (s) => `SAMLResponse=${s}&RelayState=x`,
  'WordPress reset': (s) => `https://a.test/wp-login.php?action=rp&key=${s}&login=ann`,
  'reset by token': (s) => `https://a.test/account?reset_token=${s}`,
  'AWS signature': (s) => `https://b.s3.amazonaws.com/a?X-Amz-Expires=60&X-Amz-Signature=${s}`,
  'CloudFront signature': (s) => `https://d1.cloudfront.net/a?Expires=1&Signature=${s}&Key-Pair-Id=K1`,
  'CloudFront policy': (s) => `https://d1.cloudfront.net/a?Policy=${s}&Key-Pair-Id=K1`,
  'Azure signature': (s) => `https://a.blob.core.windows.net/c/b?sv=2024-01-01&sig=${s}`,
  'Google signature': (s) => `https://storage.googleapis.com/b/o?X-Goog-Signature=${s}`,
  'Slack hook': (s) => `https://hooks.slack.com/services/T0001/B0002/${s}`,
  'Discord hook': (s) => `https://discord.com/api/webhooks/123456789/${s.replaceAll(/\W/g, 'x')}`,
  'session in a path': (s) => `https://a.test/cart;jsessionid=${s}?a=1`,
};

const weakLinks: Writers = {
  'key in a query': (s) => `https://maps.test/api/js?key=${s}&v=3`,
  'key second in a query': (s) => `/feed?page=2&key=${s}`,
  'code alone': (s) => `https://a.test/page?code=${s}`,
  'reset link': (s) => `https://a.test/reset/${s}`,
  'reset link with a user': (s) => `open https://a.test/password/reset/MQ/${s}/ within an hour`,
  'password-reset link': (s) => `https://a.test/password-reset/${s}?lang=en`,
  'invite link': (s) => `https://a.test/invite/${s}`,
  'invitation link': (s) => `https://a.test/invitations/${s}/accept`,
  'magic link': (s) => `https://a.test/magic-link/${s}`,
  'verification link': (s) => `https://a.test/verify-email/7/${s}`,
  'confirmation link': (s) => `see /users/confirmation/${s}`,
  'activation link': (s) => `https://a.test/activate/${s}`,
  'unsubscribe link': (s) => `https://a.test/unsubscribe/${s}`,
  'unsubscribe query': (s) => `https://a.test/unsubscribe?u=${s}&list=2`,
  'verify query': (s) => `https://a.test/verify?t=${s}`,
};

const shapes: Writers = {
  'AWS access key': (s) => `key AKIA${pad(s, 16).toUpperCase()} used`,
  'GitHub token': (s) => `pushed with ghp_${pad(s, 36)}`,
  'GitHub fine-grained token': (s) => `github_pat_${pad(s, 22)}_${pad('', 59)}`,
  'GitLab token': (s) => `glpat-${pad(s, 20)}`,
  'Slack token': (s) => `xoxb-1234567890-${pad(s, 24)}`,
  'Slack app token': (s) => `xapp-1-A0B1-${pad(s, 24)}`,
  'Stripe key': (s) => `sk_live_${pad(s, 24)}`,
  'Stripe hook': (s) => `whsec_${pad(s, 32)}`,
  SendGrid: (s) => `SG.${pad(s, 22)}.${pad('', 43)}`,
  Mailgun: (s) => `key-${pad(hex(s), 32, '0')}`,
  Twilio: (s) => `SK${pad(hex(s), 32, '0')}`,
  npm: (s) => `npm_${pad(s, 36)}`,
  PyPI: (s) => `pypi-AgEIcHlwaS5vcmc${pad(s, 50)}`,
  Docker: (s) => `dckr_pat_${pad(s, 27)}`,
  DigitalOcean: (s) => `dop_v1_${pad(hex(s), 64, '0')}`,
  OpenAI: (s) => `Incorrect key sk-proj-${pad(s, 40)}`,
  Anthropic: (s) => `sk-ant-api03-${pad(s, 40)}`,
  Google: (s) => `AIza${pad(s, 35)}`,
  'Google client': (s) => `GOCSPX-${pad(s, 28)}`,
  'Google access': (s) => `ya29.${pad(s, 60)}`,
  Telegram: (s) => `https://api.telegram.org/bot110201543:AA${pad(s, 33)}/getMe`,
  Discord: (s) => `MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.${pad(s, 27)}`,
  Shopify: (s) => `shpat_${pad(hex(s), 32, '0')}`,
  Square: (s) => `sq0atp-${pad(s, 22)}`,
  PayPal: (s) => `access_token$production$abcdefgh12345678$${pad(hex(s), 32, '0')}`,
  Databricks: (s) => `dapi${pad(hex(s), 32, '0')}`,
  'New Relic': (s) => `NRAK-${pad(s, 27).toUpperCase()}`,
  Sentry: (s) => `sntrys_eyJpYXQiOjE2ODc${pad(s, 40)}`,
  Vault: (s) => `hvs.${pad(s, 24)}`,
  Terraform: (s) => `abcdefghij1234.atlasv1.${pad(s, 60)}`,
  JWT: (s) => `eyJhbGciOiJIUzI1NiJ9.eyJ${pad(s, 20)}.c25yeS1zaWduYXR1cmU`,
  PASETO: (s) => `v4.local.${pad(s, 60)}`,
  age: (s) => `AGE-SECRET-KEY-1${pad(s, 58).toUpperCase()}`,
  'our secret key': (s) => `ntf_sk_${pad(s, 49)}`,
  'our admin token': (s) => `ntf_admin_${pad(s, 43)}`,
  bcrypt: (s) => `hash $2y$10$${pad(s, 53)} stored`,
  argon2: (s) => `$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$${pad(s, 43)}`,
  'WordPress hash': (s) => `$P$B${pad(s, 30)}`,
  'Azure client secret': (s) => `abc8Q~${pad(s, 34)}`,
  HuggingFace: (s) => `hf_${pad(s, 34)}`,
  Atlassian: (s) => `ATATT3xFfGF0${pad(s, 40)}`,
  Heroku: (s) => `HRKU-${pad(s, 36)}`,
};

/** Pads to the length that a provider documents. */
function pad(secret: string, length: number, sign = 'q7W'): string {
  const bare = secret.replaceAll(/[^A-Za-z0-9]/g, '');
  return (bare + sign.repeat(length)).slice(0, Math.max(length, bare.length));
}

function hex(secret: string): string {
  return Buffer.from(secret, 'utf8').toString('hex').slice(0, 30);
}

const kindsOf = (writers: Writers, strength: SecretKind['strength']): SecretKind[] =>
  Object.entries(writers).map(([name, write]) => ({ name, strength, write }));

/** Secrets recognized by context. */
export const placedKinds: readonly SecretKind[] = [
  ...kindsOf(
    { ...separators, ...formats, ...statements, ...commands, ...calls, ...links, ...toldByTools },
    'strong',
  ),
  ...kindsOf({ ...sentences, ...weakLinks, ...saidByTools }, 'weak'),
];

/** Secrets recognized by their format. */
export const shapedKinds: readonly SecretKind[] = kindsOf(shapes, 'weak');

/** The forms of a secret in those texts. */
export function spellingsOf(secret: string): string[] {
  const bare = secret.replaceAll(/[^A-Za-z0-9]/g, '');
  return [...new Set([secret, bare, bare.toUpperCase(), hex(secret), b64(`ann:${secret}`)])];
}
