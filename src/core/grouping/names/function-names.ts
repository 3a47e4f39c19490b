// Removes what compilers and runtimes add to names. Patterns are linear; names have at most 256 characters.
import type { StackFrame } from '../../../../schemas/event.ts';

type Rule = readonly [pattern: RegExp, replacement: string];

const platformsByLanguage: Readonly<Record<keyof typeof rulesByLanguage, readonly string[]>> = {
  jvm: ['java', 'kotlin', 'groovy', 'scala', 'clojure', 'android'],
  dotnet: ['csharp', 'fsharp', 'vb', 'dotnet'],
  php: ['php'],
  ruby: ['ruby'],
  python: ['python'],
  go: ['go'],
  compiled: ['rust', 'native', 'c', 'cocoa', 'objc', 'swift'],
  erlang: ['elixir', 'erlang'],
  dart: ['dart', 'flutter'],
};
const languageOf = new Map(
  Object.entries(platformsByLanguage).flatMap(([language, platforms]) =>
    platforms.map((platform) => [platform, language as keyof typeof rulesByLanguage] as const),
  ),
);

const rulesByLanguage = {
  jvm: [
    [/\$\$(?:Enhancer|FastClass)By\w*\$\$[0-9a-f]+/g, ''],
    [/\$\$SpringCGLIB\$\$\d+/g, ''],
    [/\$\$Lambda\b.*$/s, '$$$$Lambda'],
    [/_\$\$_(?:jvst\w*|javassist)_\d+/g, ''],
    [/(?<=\$(?:ByteBuddy|MockitoMock|HibernateProxy|Accessor))\$\w+/g, ''],
    [/^(?:com\.sun\.proxy|jdk\.proxy\d*)\./, ''],
    [/(?<=\$Proxy)\d+/g, ''],
    [/(?<=(?:GeneratedMethodAccessor|GeneratedConstructorAccessor|LambdaForm\$\w{1,20}))\w+/g, ''],
    // Groovy numbers closures and unnamed scripts.
    [/(?<=_closure)\d+(?=\$|$)/g, ''],
    [/^Script\d+(?=$|\$)/, 'Script'],
    [/(?:\$lambda[$-]\d+)+$/, '$$lambda'],
    [/\$\d+(?=\$|\.|$)/g, '$$'],
    [/\$(?:anonfun\$)?\$*\d*$/, ''],
    [/(?<=^lambda\$[\w]{1,200})\$$/, ''],
  ],
  dotnet: [
    [/<>c__DisplayClass\d+(?:_\d+)*/g, '<>c'],
    [/<([\w.]*|<Main>\$)>[a-z]__(\w+)\|[\w|]*/g, '$1.$2'],
    [/<([\w.]*|<Main>\$)>[a-z]__[\w|]*/g, '$1'],
    [/(?<=lambda_method)\d+/, ''],
    // F# adds line and column to closures, VB numbers lambdas.
    [/@\d+(?:-\d+)*(?:\.Invoke$|(?=$|[.+]))/g, ''],
    [/(?<=_(?:Lambda|Closure)\$__)(?:R?\d+(?:-\d+)*)/g, ''],
    [/VB\$StateMachine_\d+_(?=\w)/g, ''],
    [/(?<=\w)\.MoveNext$/, ''],
  ],
  php: [
    [/->/, '::'],
    [/(?<=__TwigTemplate_)\w+/g, ''],
    [/\bcontent_[0-9a-f]{8,}\w*/g, 'content'],
  ],
  ruby: [
    [/^(?:(?:block|rescue|ensure)(?: \(\d{1,9} levels\))? in )+/, ''],
    [/(?<=_(?:erb|haml|slim))__+\d+_\d+$/, ''],
    // Since Ruby 3.4 the class is included.
    [/^[A-Z][\w:]*[#.](?=\S)/, ''],
  ],
  python: [
    [/^.*<locals>\./s, ''],
    [/^<(?:lambda|listcomp|dictcomp|setcomp|genexpr|module|cell line: \d{1,9})>$/, ''],
  ],
  go: [
    [/\[\.\.\.\]/g, ''],
    [/(?:-range\d+|\.(?:deferwrap|gowrap)\d+)/g, ''],
    [/(?:\.func\d+(?:\.\d+)*)+$/, '.func'],
  ],
  compiled: [
    [/::h[0-9a-f]{16}$/, ''],
    [/(?<=\w)\[[0-9a-f]{6,17}\](?=::)/g, ''],
    // Rust: async functions are closures; their names differ by platform.
    [
      /(?:::(?:\{\{closure\}\}|\{(?:closure|async_fn|async_block|async_closure)(?:_env)?#\d+\}|(?:closure|async_fn|async_block|async_closure)(?:_env)?\$\d+))+(?:<.*>)?$/s,
      '',
    ],
    [/(?<=::)\{\{impl\}\}|(?<=::)\{impl#\d+\}|(?<=::)impl\$\d+/g, '{impl}'],
    // C++: GCC and Clang number lambdas, MSVC generates a name.
    [
      /(?:\{lambda\([^{}]{0,256}\)(?:#\d{1,9})?\}|\$_\d{1,9}|<lambda_\w{1,64}>|'lambda\d{0,9}'(?:\([^()]{0,256}\))?)(?:(?:::|\.)operator\(\)(?:\([^()]{0,256}\))?(?: const)?)?/g,
      '{lambda}',
    ],
    // Zig numbers what generic functions were made for, OCaml all functions.
    [/(?<=__(?:anon|struct|enum|union))_\d+/g, ''],
    [/^(caml[A-Z].*?)_\d+(?:_\d+)?$/s, '$1'],
    // Swift numbers the parts into which it cuts an async function.
    [/(?:\(\d{1,9}\) )?(?:(?:suspend|await) resume partial function for|async function pointer to) /g, ''],
    [/^\(\d{1,9}\) /, ''],
    [/(?<=closure )#\d+/g, ''],
  ],
  erlang: [[/-fun-\d+-|(?<=\/\d)-\d+-$/g, '']],
  dart: [[/(?<=^|\.)<(?:fn|anonymous closure|anonymous)>/g, '<anonymous closure>']],
} as const satisfies Record<string, readonly Rule[]>;

const everyLanguage: readonly Rule[] = [
  [/0x[0-9a-f]+/gi, ''],
  [/(?<![0-9a-z])(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}(?![0-9a-z])/gi, ''],
];

/** Empty where the name says nothing. `platform` is that of the frame. */
export function normalizeFunctionName(name: string, platform: string): string {
  if (platform === 'javascript' || platform === 'node') return cleanScriptFunction(name);
  const language = languageOf.get(platform);
  let text = name.trim();
  if (language === 'php') text = withoutPhpNames(text);
  if (language !== undefined) text = replaced(text, rulesByLanguage[language]);
  text = replaced(text, everyLanguage).trim();
  return isUnknownName(text) ? '' : text;
}

export function normalizeModuleName(module: string, platform: string): string {
  const name = module.split(',')[0] ?? '';
  if (platform === 'javascript' || platform === 'node') {
    return replaced(name, everyLanguage)
      .replace(/^.*[/\\]/, '')
      .toLowerCase();
  }
  const language = languageOf.get(platform);
  const languageRules = language === undefined ? [] : rulesByLanguage[language];
  const text = replaced(replaced(name, languageRules), everyLanguage);
  return language === 'jvm' ? withJakarta(text) : text;
}

function replaced(text: string, rules: readonly Rule[]): string {
  let rest = text;
  for (const [pattern, replacement] of rules) rest = rest.replace(pattern, replacement);
  return rest;
}

/** Java EE packages moved to `jakarta`; those of the JDK stay in `javax`. */
function withJakarta(name: string): string {
  return name.replace(
    /^javax\.(?=(?:persistence|servlet|ws\.rs|validation|inject|ejb|transaction(?!\.xa)|jms|mail|faces|enterprise|xml\.(?:bind|soap|ws)|json|jws|websocket|resource|batch|interceptor|decorator|el|activation|security\.(?:enterprise|jacc|auth\.message)|annotation\.(?!processing))\b)/,
    'jakarta.',
  );
}

export function isUnknownName(name: string): boolean {
  return /^(?:|\?{1,8}|[<[(]?(?:unknown|redacted|anonymous|null|stripped|deduplicated_symbol|no symbol|name omitted|symbol not found|unknown function)[>\])]|stripped_application_code|_{1,2}mh_execute_header)$/i.test(
    name,
  );
}

/** Anonymous classes without file and number; of a closure only the class, all that PHP before 8.4 has. */
function withoutPhpNames(name: string): string {
  const anonymous = name.indexOf('@anonymous');
  let text = name;
  if (anonymous !== -1) {
    const method = name.lastIndexOf('::');
    text = name.slice(0, anonymous + '@anonymous'.length) + (method > anonymous ? name.slice(method) : '');
  }
  const closure = text.indexOf('{closure');
  if (closure === -1) return text;
  const type = /^([^:]{1,200}?)(?:::|->)/.exec(text.slice(0, closure))?.[1];
  if (type !== undefined) return `${type}::{closure}`;
  const maker = /^(?:\{closure:)+([A-Za-z_\x80-\uffff][\w\\\x80-\uffff]*(?:::\w+)?)\(\)/.exec(
    text.slice(closure),
  );
  return maker === null ? '{closure}' : `${maker[1]}::{closure}`;
}

export function isCompilerWrapper(
  frame: Pick<StackFrame, 'function' | 'filename'>,
  platform: string,
): boolean {
  if (languageOf.get(platform) !== 'go') return false;
  return /\.gowrap\d{1,9}$/.test(frame.function ?? '') || frame.filename === '<autogenerated>';
}

/** Classes that compilers generate from methods (groups: source class and method), and their methods' names. */
const compilerGeneratedMethods: Readonly<
  Record<string, ReadonlyArray<readonly [module: RegExp, name: RegExp]>>
> = {
  dotnet: [
    [/^(.{1,200})[+.]VB\$StateMachine_\d{1,9}_(\w{1,128})$/, /^MoveNext$/],
    [/^(.{1,200})[+.]<(<Main>\$)>d__\d{1,9}$/, /^MoveNext$/],
    [/^(.{1,200})[+.](\w{1,128})@\d{1,9}(?:-\d{1,9})*$/, /^(?:Invoke|MoveNext|GenerateNext)$/],
    // .NET compiles async and iterator methods to a class with one `MoveNext`.
    [/^(.{1,256})[+.]<(\w{1,128})>d__\d{1,9}(?:`\d{1,3})?(?:,.*)?$/, /^MoveNext$/],
  ],
  jvm: [[/^([\w.]{1,200})\$([a-z]\w{0,127})(?:\$\d{1,9})+$/, /^invoke(?:Suspend)?$/]],
};

export function findSourceMethod(frame: StackFrame, platform: string) {
  const language = languageOf.get(platform) ?? '';
  const { module = '', function: name = '' } = frame;
  for (const [modulePattern, namePattern] of compilerGeneratedMethods[language] ?? []) {
    const match = namePattern.test(name) ? modulePattern.exec(module) : null;
    if (match === null) continue;
    return { module: match[1] ?? '', function: `${match[2]}${language === 'jvm' ? '$lambda' : ''}` };
  }
  return null;
}

const nameless =
  /^(?:|\?|<|<anonymous>|anonymous|anonymous function|<anonymous function>|<unknown>|\(anonymous\)|\(anonymous function\)|<top-level>|<global>|global code|module code|eval code|\[native code\]|undefined|null|onreadystatechange\*|<\/?)$/i;

/** V8, SpiderMonkey, JavaScriptCore, Chakra and Hermes write the same name in five ways. */
function cleanScriptFunction(name: string): string {
  let text = name.trim().replace(/ \[as [^\]]{0,200}\]$/, '');
  text = text.replace(/^<anonymous function: ([^>]{1,200})>$/, '$1');
  // Firefox: "async*load", "setTimeout handler*load".
  text = text.slice(text.lastIndexOf('*') + 1);
  text = text.replace(/^(?:(?:async|new|get|set|static|bound|function) +)+/, '');
  // Webpack names a module's function after its path: "Module../src/cart.js".
  if (/\.\/[^<]*\.[mc]?[jt]sx?$|\.vue$/i.test(text)) return '';
  text = text.replace(/\(.*\)$/s, '').replace(/<+$/, '<');
  const cut = Math.max(text.lastIndexOf('.'), text.lastIndexOf('/'));
  text = text
    .slice(cut + 1)
    .replace(/^(?:get|set) +/, '')
    .replace(/^#/, '')
    .replace(/\$\d+$/, '');
  return nameless.test(text) ? '' : text;
}
