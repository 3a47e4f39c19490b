// Types and functions that do not identify an error, so that its message counts.
import type { StackFrame } from '../../../../schemas/event.ts';

/** Generic types, each with the version or library that sends it. */
const unnamedTypes: Readonly<Record<string, ReadonlyArray<readonly [of: string, type: RegExp]>>> = {
  go: [
    ['go 1.26', /^\*?(?:errors\.(?:errorString|joinError)|fmt\.wrapErrors?)$/],
    ['pkg/errors', /^\*?errors\.(?:fundamental|withStack|withMessage)$/],
    ['golang.org/x/xerrors', /^\*?xerrors\.(?:errorString|wrapError|noWrapError)$/],
    ['go-errors/errors, juju/errors', /^\*?errors\.(?:Error|Err)$/],
    [
      'hashicorp/go-multierror, go.uber.org/multierr',
      /^\*?(?:multierror\.(?:Error|chain)|multierr\.multiError)$/,
    ],
    [
      'cockroachdb/errors',
      /^\*?(?:withstack\.withStack|errutil\.(?:leafError|withPrefix|withNewMessage)|barriers\.barrierErr|join\.joinError|secondary\.withSecondaryError|hintdetail\.with\w+)$/,
    ],
    ['rotisserie/eris, samber/oops', /^\*?(?:eris\.(?:rootError|wrapError)|oops\.OopsError)$/],
    ['gin, echo, fiber', /^\*?(?:gin\.Error|echo\.HTTPError|fiber\.Error)$/],
  ],
  native: [['sentry 0.49', /^panic$/]],
  rust: [['sentry 0.49', /^panic$/]],
};

export function isGenericType(type: string, platform: string): boolean {
  return unnamedTypes[platform]?.some(([, unnamed]) => unnamed.test(type)) === true;
}

/** An error whose message only joins those of its members. */
export function isJoinedError(type: string, platform: string): boolean {
  return (
    platform === 'go' &&
    /^\*?(?:errors\.joinError|join\.joinError|multierror\.(?:Error|chain)|multierr\.multiError)$/.test(type)
  );
}

const closures: ReadonlyArray<readonly [platforms: readonly string[], closure: RegExp]> = [
  // Java 17: `lambda$main$3`, `An$1`, D8's `$r8$lambda$…`. Kotlin: `run$lambda$0`, `Cart$run$1`. Groovy:
  // `Cart$_run_closure5`. Scala: `$anonfun$total$1`.
  [
    ['java', 'kotlin', 'groovy', 'scala', 'android'],
    /^(?:\S{1,256}\n)?lambda\$|\$lambda(?:[$-]\d+)?$|\$(?:anonfun|\$Lambda)\b|\$r8\$lambda\$|[$_]closure\d+(?=[$\n])|(?<=\w)(?<!\$(?:ByteBuddy|MockitoMock|HibernateProxy|Accessor|auxiliary))\$\d+\n/,
  ],
  // .NET: `<>c.<Main>b__0_1`; VB: `_Lambda$__12-0`. Not F#, where closures may be named functions.
  [['csharp', 'dotnet', 'vb'], />b__|_Lambda\$__/],
  // Go 1.26: `main.func4`.
  [['go'], /\.func\d+(?:\.\d+)*(?:-range\d+)?$/],
  [['php'], /\{closure/],
  [
    ['cocoa', 'swift', 'objc', 'native', 'c'],
    /closure #\d+ |_block_invoke(?:_\d+)?(?:\.\d+)?$|(?:\{lambda\([^{}]{0,256}\)(?:#\d{1,9})?\}|\$_\d{1,9}|<lambda_\w{1,64}>|'lambda\d{0,9}'(?:\([^()]{0,256}\))?)(?:(?:::|\.)operator\(\)\S{0,256}(?: const)?)?$/,
  ],
  [['elixir', 'erlang'], /\nanonymous fn\/|-fun-\d+-/],
  [['dart', 'flutter'], /<(?:fn|anonymous closure)>$/],
  [['python'], /<lambda>$/],
];

const nameCharsMax = 512;

export function isClosure({ module = '', function: name = '' }: StackFrame, platform: string): boolean {
  if (module.length + name.length > nameCharsMax) return false;
  return closures.some(
    ([platforms, closure]) => platforms.includes(platform) && closure.test(`${module}\n${name}`),
  );
}
