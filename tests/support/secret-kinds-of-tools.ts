// More texts with a secret in them: what databases, runners of tests, consoles and build servers print, and
// letters that are written otherwise than as letters.
type Writers = Readonly<Record<string, (secret: string) => string>>;

/** Whatever the secret looks like, its place tells it. */
export const toldByTools: Writers = {
  'PostgreSQL tells a key': (s) => `DETAIL:  Key (reset_token)=(${s}) already exists.`,
  'PostgreSQL tells a key of two': (s) => `Key (tenant_id, api_token)=(3, ${s}) already exists.`,
  'PostgreSQL tells a key of two, first': (s) => `Key (api_token, tenant_id)=(${s}, 3) already exists.`,
  'MySQL tells a key': (s) => `Duplicate entry '${s}' for key 'users.api_token'`,
  'MySQL tells a value': (s) => `Incorrect string value: '${s}' for column 'password' at row 1`,
  'MySQL tells a value of a column in ticks': (s) =>
    `Incorrect integer value: '${s}' for column \`shop\`.\`users\`.\`api_key\` at row 1`,
  'a selector of two attributes': (s) => `input[name="password"][value="${s}"]`,
  'a symbol as a name': (s) => `{ [Symbol(password)]: '${s}' }`,
  'Erlang binaries': (s) => `#{<<"password">> => <<"${s}">>, <<"a">> => 1}`,
  'a raw literal of Rust': (s) => `let api_key = r#"${s}"#;`,
  'a heredoc of PHP': (s) => `$password = <<<EOT\n${s}\nEOT;`,
  'a nowdoc of PHP': (s) => `$secret = <<<'X'\n${s}\nX;`,
  'a name and value with beginnings': (s) => `{"parameterKey":"DbPassword","parameterValue":"${s}"}`,
  'a field and its input': (s) => `{"field":"password","input":"${s}"}`,
  'a value below the element': (s) => `<Password><Value>${s}</Value></Password>`,
  'Apache sets': (s) => `SetEnv DB_PASS ${s}`,
  'fish sets': (s) => `set -gx API_TOKEN ${s}`,
  'Redis sets': (s) => `CONFIG SET requirepass ${s}`,
  'a macro of C': (s) => `#define WIFI_PASSWORD "${s}"`,
  'a macro on the command line': (s) => `gcc -DAPI_KEY=\\"${s}\\" a.c`,
  'a workflow command': (s) => `::set-output name=token::${s}`,
  'a workflow mask': (s) => `::add-mask::${s}`,
  'a pipeline command': (s) => `##vso[task.setvariable variable=password;issecret=true]${s}`,
  'a key of a service': (s) => `InstrumentationKey=${s};IngestionEndpoint=https://a.test/`,
  'lftp with a comma': (s) => `lftp -u ann,${s} ftp.test`,
  'ssh-keygen -N': (s) => `ssh-keygen -t rsa -N '${s}' -f k`,
  'a token by a pipe': (s) => `echo ${s} | gh auth login --with-token`,
  'an option in a list of Python': (s) => `Command '['mysqldump', '--password', '${s}', 'shop']' failed`,
  'an option in a tuple of bytes': (s) => `(b'deploy', b'--token', b'${s}')`,
  'an option in a list that was cut': (s) => `['deploy', '--api-key', '${s}', 'sh...`,
  'an option in a command of Rust': (s) => `"deploy" "--token" "${s}" "shop"`,
  'an option in a slice of Go': (s) => `[]string{"deploy", "--token", "${s}"}`,
  'an option in a list of Java': (s) => `[deploy, --token, ${s}, shop]`,
  'an option in an array of PHP': (s) => `array (0 => 'deploy', 1 => '--token', 2 => '${s}')`,
  'an option in a printed array of PHP': (s) => `Array\n(\n    [0] => --token\n    [1] => ${s}\n)`,
  'an option by calls': (s) => `Command::new("x").arg("--token").arg("${s}")`,
  'a setting before a command': (s) => `['sh', '-c', 'PGPASSWORD=${s} pg_dump shop']`,
  'user without a scheme': (s) => `<script src="//ann:${s}@cdn.test/a.js">`,
  'user in a coded address': (s) => `next=https%3A%2F%2Fann%3A${encodeURIComponent(s)}%40host.test%2Fa`,
  'an octal escape in the name': (s) => `"pass\\167ord": "${s}"`,
  'a long escape in the name': (s) => `"pass\\u{77}ord": "${s}"`,
  'full-width letters': (s) => `ｐａｓｓｗｏｒｄ=${s}`,
  'a blank of no width in the name': (s) => `pass\u200bword=${s}`,
  'a soft hyphen in the name': (s) => `pass\u00adword: ${s}`,
};

/** The secret must look made by a machine as well. */
export const saidByTools: Writers = {
  'a mail server hears': (s) => `a1 LOGIN ann ${s}`,
  'a mail server hears quotes': (s) => `a1 LOGIN "ann@x.test" "${s}"`,
  'a setting in camel case': (s) => `storePassword '${s}'`,
  'said in Russian': (s) => `пароль ${s} неверный`,
  'said in Japanese': (s) => `パスワード「${s}」が違います`,
  'said in French': (s) => `le mot de passe « ${s} » est incorrect`,
  'an arrow after what it is for': (s) => `Generated password for admin -> ${s}`,
  'a sub-protocol of a socket': (s) => `Sec-WebSocket-Protocol: bearer, ${s}`,
};
