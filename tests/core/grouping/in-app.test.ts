import { describe, expect, it } from '@jest/globals';
import { buildCulprit } from '../../../src/core/events/title.ts';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { isRaisingFrame } from '../../../src/core/grouping/frame-facts.ts';
import { isLibraryFrame } from '../../../src/core/grouping/stacks/in-app.ts';
import { normalized } from '../../support/events.ts';

type Frame = Readonly<Record<string, unknown>>;
const thrown = (platform: string, frames: readonly Frame[], type = 'E', value = 'bad') => ({
  platform,
  exception: {
    values: [{ type, value, stacktrace: { frames: frames.map((one) => ({ in_app: true, ...one })) } }],
  },
});
const partsOf = (platform: string, frames: readonly Frame[], type?: string, value?: string) =>
  computeFingerprint(normalized(thrown(platform, frames, type, value))).parts;
const culprit = (platform: string, frames: readonly Frame[]): string =>
  buildCulprit(normalized(thrown(platform, frames)), null);

const crate = (name: string): Frame => ({ function: name, package: /^<?(\w+)/.exec(name)?.[1] });
const goFrame = (module: string, name: string, path: string): Frame => ({
  function: name,
  module,
  abs_path: path,
});

describe('where a language raises', () => {
  it.each<[string, readonly string[]]>([
    [
      'native',
      [
        // By rustc 1.95, in both forms of mangled names.
        'rust_begin_unwind',
        '_rust_begin_unwind',
        '__rustc::rust_begin_unwind',
        '__rustc[b7974e8690430dd9]::rust_begin_unwind',
        'core::panicking::panic_fmt',
        'core[c1f1a4ba060b9bfa]::panicking::panic_bounds_check',
        'core[c1f1a4ba060b9bfa]::panicking::panic_const::panic_const_div_by_zero',
        'core[c1f1a4ba060b9bfa]::panicking::assert_failed::<usize, usize>',
        'core[c1f1a4ba060b9bfa]::panicking::panic_display::<&str>',
        'core[c1f1a4ba060b9bfa]::option::unwrap_failed',
        'core::option::expect_failed',
        'core::option::Option<T>::expect',
        '<core[c1f1a4ba060b9bfa]::option::Option<u32>>::expect',
        '<core[c1f1a4ba060b9bfa]::result::Result<u32, u32>>::unwrap_err',
        'core::result::unwrap_failed',
        'core[c1f1a4ba060b9bfa]::slice::index::slice_index_fail',
        'core::slice::index::slice_end_index_len_fail_rt',
        'core[c1f1a4ba060b9bfa]::slice::copy_from_slice_impl::len_mismatch_fail',
        'core[c1f1a4ba060b9bfa]::slice::copy_from_slice_impl::len_mismatch_fail::do_panic::runtime',
        'core[c1f1a4ba060b9bfa]::str::slice_error_fail',
        'core::str::slice_error_fail_rt',
        'core[c1f1a4ba060b9bfa]::cell::panic_already_mutably_borrowed',
        'alloc[fdfd2bd8633a6659]::raw_vec::handle_error',
        'alloc::raw_vec::capacity_overflow',
        'alloc::alloc::handle_alloc_error',
        '<alloc[fdfd2bd8633a6659]::vec::Vec<_, _>>::remove::assert_failed',
        'alloc::vec::Vec<T,A>::swap_remove::assert_failed',
        'std[e28293b1aa0f68bd]::panicking::begin_panic::<&str>',
        'std::panicking::begin_panic::{{closure}}',
        'std::panicking::panic_handler::{closure#0}',
        'std[e28293b1aa0f68bd]::panic::panic_any::<i32>',
        'std::sys::backtrace::__rust_end_short_backtrace::<std::panicking::panic_handler::{closure#0}, !>',
        'std::sys_common::backtrace::__rust_end_short_backtrace',
        'std::thread::local::panic_access_error',
        'std::process::abort',
      ],
    ],
    [
      'go',
      [
        'runtime.gopanic',
        'runtime.panicmem',
        'runtime.sigpanic',
        'runtime.panicdivide',
        'runtime.panicwrap',
        'runtime.goPanicIndex',
        'runtime.goPanicSliceAcap',
        'runtime.throw',
        'panic',
      ],
    ],
    [
      'swift',
      ['_assertionFailure(_:_:file:line:flags:)', 'Swift._assertionFailure', 'swift_unexpectedError'],
    ],
    ['cocoa', ['objc_exception_throw']],
    [
      'php',
      [
        'Illuminate\\Foundation\\Bootstrap\\HandleExceptions::handleError',
        'Symfony\\Component\\ErrorHandler\\ErrorHandler->handleError',
        'yii\\base\\ErrorHandler::handleError',
      ],
    ],
    ['dart', ['_AssertionError._throwNew', '_AssertionError._doThrowNew', 'wrapException']],
    ['csharp', ['System.ThrowHelper.ThrowArgumentOutOfRange_IndexMustBeLessException']],
  ])('%s: frames from there inwards do not count', (platform, names) => {
    const own = { function: 'shop::pay', package: 'shop' };
    const hook = { function: 'shop::report_panic', package: 'shop' };
    const bare = partsOf(platform, [own]);
    for (const name of names) {
      expect({ name, parts: partsOf(platform, [own, crate(name), hook]) }).toEqual({ name, parts: bare });
    }
  });

  it('are known by module and function where an SDK sends both', () => {
    const own = goFrame('shop/cart', 'Add', '/src/cart/cart.go');
    const recovered = goFrame('shop/web', 'Recover.func1', '/src/web/recover.go');
    const raised = goFrame('runtime', 'goPanicIndex', '/opt/go1.26/src/runtime/panic.go');
    expect(partsOf('go', [own, raised, recovered])).toEqual(partsOf('go', [own]));
  });

  it.each([
    ['native', 'std::panicking::try'],
    ['native', 'std::panicking::catch_unwind::<(), std::rt::lang_start_internal::{closure#0}>'],
    ['native', 'std::panicking::try::do_call'],
    ['native', 'std::panic::catch_unwind'],
    ['native', 'std::sys::backtrace::__rust_begin_short_backtrace'],
    ['native', 'core::option::Option<T>::unwrap_or_else'],
    ['native', 'core::result::Result<T,E>::expect_or_else'],
    ['native', 'shop::panicking::report'],
    ['native', 'shop::cart::handle_error'],
    ['native', 'core::Engine::handle_error'],
    ['go', 'shop/runtime.panicButton'],
    ['go', 'runtime.main'],
    ['go', 'runtime.goexit'],
    ['php', 'Shop\\ErrorHandler::handleError'],
    ['python', 'panic'],
    ['java', 'throwNew'],
  ])('%s: not in %s', (platform, name) => {
    const frame = name.startsWith('core::Engine') ? { function: name } : crate(name);
    expect(isRaisingFrame(frame, platform)).toBe(false);
  });

  it('are found behind frames of the language', () => {
    const own = { function: 'shop::pay', package: '/opt/shop' };
    const between = [
      'alloc::vec::Vec<T,A>::remove',
      '<alloc[fdfd2bd8633a6659]::vec::Vec<u32>>::swap_remove',
      'core::cell::RefCell<T>::borrow',
      '<usize as core[c1f1a4ba060b9bfa]::slice::index::SliceIndex<[u32]>>::index',
      '<[u32]>::copy_from_slice',
    ].map((name) => ({ function: name, package: '/opt/shop' }));
    expect(partsOf('native', [own, ...between, crate('rust_begin_unwind')])).toEqual(
      partsOf('native', [own]),
    );
  });

  it('are not the first frames of a runtime task', () => {
    const below = [
      'std::panicking::try::do_call',
      'std::panic::catch_unwind',
      'tokio::runtime::task::raw::poll',
      'rayon_core::registry::WorkerThread::wait_until_cold',
      '<core::panic::unwind_safe::AssertUnwindSafe<F> as core::ops::function::FnOnce<()>>::call_once',
    ].map(crate);
    const own = ['shop::run', 'shop::pay'].map(crate);
    const panic = ['core::panicking::panic_fmt', 'rust_begin_unwind'].map(crate);
    expect(partsOf('native', [...below, ...own, ...panic], 'panic', 'order 4 exploded')).toEqual([
      'panic @ shop · shop::pay < shop · shop::run : order <number> exploded',
    ]);
  });
});

describe('frames of the SDK', () => {
  it.each<[string, Frame]>([
    ['native', crate('sentry_panic::panic_handler')],
    ['native', crate('<sentry_panic::PanicIntegration as sentry_core::Integration>::setup::{{closure}}')],
    ['native', crate('sentry_core::hub::Hub::capture_event')],
    ['native', crate('<sentry_tower::SentryFuture<F> as core::future::future::Future>::poll')],
    ['go', goFrame('github.com/getsentry/sentry-go/gin', '(*handler).handle', '/x/sentrygin.go')],
    ['go', goFrame('main', 'main.handle.func3', '/p/mod/github.com/getsentry/sentry-go@v0.50.0/http/a.go')],
    ['python', { module: 'sentry_sdk.integrations.wsgi', function: '__call__', filename: 'wsgi.py' }],
    ['python', { module: 'raven.base', function: 'capture', filename: 'base.py' }],
    ['java', { module: 'io.sentry.spring.SentryTaskDecorator', function: 'run' }],
    ['csharp', { module: 'Sentry.AspNetCore.SentryMiddleware', function: 'InvokeAsync' }],
    ['php', { function: 'call', filename: '/srv/vendor/sentry/sentry/src/Hub.php' }],
    ['dart', { function: 'run', abs_path: 'package:sentry_flutter/src/zone.dart' }],
  ])('%s: %p is skipped', (platform, frame) => {
    const own = { module: 'shop', function: 'pay', filename: 'pay', package: 'shop' };
    expect(partsOf(platform, [own, frame])).toEqual(partsOf(platform, [own]));
    // Nor beside libraries, where no frame is the application's own.
    const library = { module: 'lib', function: 'get', filename: '/x/site-packages/a', in_app: false };
    expect(partsOf(platform, [library, { ...frame, in_app: false }])).toEqual(partsOf(platform, [library]));
  });

  it.each<[string, Frame]>([
    ['native', crate('sentry_box::open')],
    ['go', goFrame('github.com/acme/sentry-go', 'Open', '/src/open.go')],
    ['python', { module: 'sentry_sdks.base', function: 'open', filename: 'base.py' }],
    ['java', { module: 'io.sentryville.Box', function: 'open' }],
    ['csharp', { module: 'SentryBox.Door', function: 'Open' }],
  ])('%s: %p only looks like one', (platform, frame) => {
    const own = { module: 'shop', function: 'pay', filename: 'pay', package: 'shop' };
    expect(partsOf(platform, [own, frame])).not.toEqual(partsOf(platform, [own]));
  });
});

describe('libraries that an SDK calls in-app', () => {
  const inGo = goFrame('shop/cart', 'Add', 'shop/cart/cart.go');
  const inPython = { module: 'shop.cart', function: 'add', filename: 'cart.py', abs_path: '/srv/cart.py' };
  const inRust = { function: 'shop::add', package: 'shop', abs_path: '/build/src/cart.rs' };
  const inPhp = { function: 'Shop\\Cart::add', filename: '/srv/src/Cart.php' };
  const inNode = { function: 'add', filename: '/srv/cart.js' };
  it.each<[string, Frame, Frame]>([
    // A module of Go, in its cache and as `-trimpath` writes it; vendored; Go's own library, in three places.
    ['go', inGo, goFrame('github.com/a/b', 'Do', '/home/dev/gopath/pkg/mod/github.com/a/b@v1.2.0/b.go')],
    ['go', inGo, goFrame('github.com/a/b', 'Do', 'github.com/a/b@v1.2.0/b.go')],
    ['go', inGo, goFrame('gopkg.in/yaml.v3', 'Do', 'gopkg.in/yaml.v3@v3.0.1/yaml.go')],
    ['go', inGo, goFrame('github.com/a/b', 'Do', '/src/vendor/github.com/a/b/b.go')],
    ['go', inGo, goFrame('encoding/json', '(*Decoder).Decode', '/opt/toolchain/src/encoding/json/stream.go')],
    ['go', inGo, goFrame('encoding/json', '(*Decoder).Decode', 'encoding/json/stream.go')],
    ['go', inGo, goFrame('sort', 'Slice', 'C:\\Program Files\\Go\\src\\sort\\slice.go')],
    [
      'native',
      inRust,
      { function: 'a::b', abs_path: '/usr/local/cargo/registry/src/index-1/a-1.0/src/lib.rs' },
    ],
    ['native', inRust, { function: 'a::b', abs_path: '/home/x/.cargo/git/checkouts/a-1/2/src/lib.rs' }],
    ['native', inRust, { function: 'a::b', abs_path: '/rustc/90b35a6239c3d8b/library/alloc/src/vec.rs' }],
    ['native', inRust, { function: 'a::b', abs_path: '/x/lib/rustlib/src/rust/library/core/src/cell.rs' }],
    [
      'python',
      inPython,
      { module: 'requests.api', function: 'get', filename: '/v/site-packages/requests/api.py' },
    ],
    [
      'python',
      inPython,
      { module: 'json', function: 'loads', filename: 'C:\\Python313\\Lib\\json\\decoder.py' },
    ],
    ['php', inPhp, { function: 'Client::get', filename: '/srv/vendor/guzzlehttp/guzzle/src/Client.php' }],
    ['node', inNode, { function: 'get', filename: '/srv/node_modules/axios/lib/axios.js' }],
    ['cocoa', { function: 'Cart.add()' }, { function: 'AF.get()', abs_path: '/x/ios/Pods/AF/AF.swift' }],
  ])('%s: beside %p not %p', (platform, own, library) => {
    expect(partsOf(platform, [own, library])).toEqual(partsOf(platform, [own]));
    expect(culprit(platform, [own, library])).toBe(culprit(platform, [own]));
    const unmarked = (one: Frame) => ({ ...one, in_app: undefined });
    expect(partsOf(platform, [own, library].map(unmarked))).toEqual(partsOf(platform, [unmarked(own)]));
  });

  it.each<[string, Frame, Frame]>([
    ['go', inGo, goFrame('github.com/acme/log', 'Print', '/home/dev/go/src/github.com/acme/log/log.go')],
    ['go', inGo, goFrame('log', 'Print', '/home/dev/log/main.go')],
    ['native', inRust, { function: 'core::Engine::draw', abs_path: '/build/src/engine.cpp' }],
    ['native', inRust, { function: '<shop::Cart as anyhow::Context>::context', package: 'shop' }],
  ])('%s: beside %p also %p', (platform, own, frame) => {
    expect(partsOf(platform, [own, frame])).not.toEqual(partsOf(platform, [own]));
    expect(culprit(platform, [own, frame])).not.toBe(culprit(platform, [own]));
  });

  it('are in-app as the SDK says where it marks only some', () => {
    const chosen = { module: 'acme.lib', function: 'get', filename: '/v/site-packages/acme/lib.py' };
    const other = { module: 'six', function: 'call', filename: '/v/site-packages/six.py', in_app: false };
    expect(partsOf('python', [inPython, chosen, other])).not.toEqual(partsOf('python', [inPython, other]));
  });

  it('keep a Go program installed by version in-app', () => {
    const own = (version: string) =>
      goFrame('github.com/acme/shop', 'Add', `github.com/acme/shop@${version}/cart.go`);
    expect(partsOf('go', [own('v1.2.0')])).toEqual(partsOf('go', [{ ...inGo, ...own('v1.3.0') }]));
    expect(partsOf('go', [own('v1.2.0')])).toEqual(['E @ github.com/acme/shop · Add']);
  });

  it.each([
    '<E as anyhow::context::ext::StdError>::ext_context',
    'anyhow::context::<impl anyhow::Context<T,E> for core::result::Result<T,E>>::with_context',
    '<core::result::Result<T,E> as anyhow::Context<T,E>>::with_context',
    '<T as core::convert::Into<U>>::into',
    'eyre::error::<impl core::convert::From<E> for eyre::Report>::from',
  ])('%s is no culprit', (name) => {
    const own = { function: 'shop::load', package: 'shop' };
    expect(
      culprit('native', [own, { function: name, package: /\b(?:anyhow|core|eyre)\b/.exec(name)?.[0] }]),
    ).toBe('shop::load');
  });

  it('do not name a panic after its runtime frames', () => {
    const names = ['shop::main', 'core::option::unwrap_failed', '__rustc::rust_begin_unwind'];
    const sdk = ['sentry_panic::panic_handler', 'sentry_backtrace::current_stacktrace'];
    expect(culprit('native', [...names, ...sdk].map(crate))).toBe('shop::main');
  });
});

describe('the folder of a package manager', () => {
  const isOthers = (language: string, path: string) =>
    isLibraryFrame({ filename: path, abs_path: path, function: 'f' }, language);

  it.each([
    ['node', '/app/node_modules/.pnpm/a@1.0.0/node_modules/a/index.js'],
    ['node', '/app/.yarn/cache/a-npm-1.0.0-bb15ff679a.zip/node_modules/a/index.js'],
    ['node', '/app/.yarn/unplugged/a-npm-1.0.0-bb/a/index.js'],
    ['node', '/root/.cache/deno/npm/registry.npmjs.org/a/1.0.0/index.js'],
    ['node', 'C:\\Users\\jan\\AppData\\Local\\deno\\npm\\registry.npmjs.org\\a\\index.js'],
    ['node', '/deno-dir/deps/https/deno.land/7d7a'],
    ['node', '/root/.bun/install/cache/a@1.0.0/index.js'],
    ['node', 'ext:deno_web/02_event.js'],
    ['node', 'bun:sqlite'],
    ['javascript', 'https://deno.land/std@0.224.0/http/server.ts'],
    ['javascript', 'https://jsr.io/@std/http/1.0.0/server.ts'],
    ['javascript', 'https://cdn.jsdelivr.net/npm/a@1/dist/a.js'],
    ['python', '/usr/lib/pypy3.10/json/decoder.py'],
    ['python', '/app/__pypackages__/3.12/lib/flask/app.py'],
    ['python', 'external/pypi_flask/flask/app.py'],
    ['python', '/x/execroot/_main/external/rules_python~~pip~pip_flask/flask/app.py'],
    ['php', '/usr/share/php/PEAR.php'],
    ['ruby', '<internal:kernel>'],
    ['ruby', '/usr/share/ruby/json.rb'],
    ['perl', '/usr/share/perl5/Moose.pm'],
    ['perl', '/usr/lib/x86_64-linux-gnu/perl/5.40/IO.pm'],
    ['go', '/usr/local/go/src/net/http/server.go'],
    ['go', 'C:\\Program Files\\Go\\src\\net\\http\\server.go'],
    ['go', '/home/jan/sdk/go1.26.1/src/runtime/panic.go'],
    ['go', 'external/com_github_gin_gonic_gin/gin.go'],
    ['native', 'external/crate_index__tokio-1.32/src/task.rs'],
    ['native', '/build/cargo-vendor-dir/tokio-1.32.0/src/task.rs'],
    ['csharp', 'C:\\Users\\jan\\.nuget\\packages\\dapper\\2.1.0\\SqlMapper.cs'],
    ['elixir', '/app/deps/phoenix/lib/phoenix/endpoint.ex'],
    ['cocoa', '/app/Carthage/Checkouts/Alamofire/Source/Session.swift'],
  ])('is not in-app: %s, %s', (language, path) => {
    expect(isOthers(language, path)).toBe(true);
  });

  it.each([
    ['node', '/app/external/api.js'],
    ['node', '/app/external/my_bank/api.js'],
    ['node', '/srv/deno/app.ts'],
    ['node', '/app/yarn/cache/store.js'],
    ['javascript', 'https://shop.example/npm/cart.js'],
    ['python', '/app/deps/auth.py'],
    ['go', '/home/jan/go/src/shop/cart.go'],
    ['go', '/app/src/net/cart.go'],
    ['php', '/srv/share/php/cart.php'],
    ['elixir', '/app/lib/shop/cart.ex'],
    ['csharp', 'D:\\nuget\\packages\\Cart.cs'],
  ])('differs from in-app folders: %s, %s', (language, path) => {
    expect(isOthers(language, path)).toBe(false);
  });
});

describe('frameworks and drivers of the JVM that no SDK marks', () => {
  it.each([
    'com.zaxxer.hikari.pool.HikariPool',
    'ch.qos.logback.classic.Logger',
    'com.mysql.cj.jdbc.ConnectionImpl',
    'io.vertx.core.impl.ContextImpl',
    'io.quarkus.runtime.Application',
    'io.grpc.internal.ServerImpl',
    'play.api.mvc.Action',
    'cats.effect.IOFiber',
    'zio.internal.FiberRuntime',
    'clojure.lang.AFn',
    'org.junit.jupiter.engine.execution.MethodInvocation',
  ])('are not in-app: %s', (module) => {
    const own = { module: 'shop.Cart', function: 'add', in_app: undefined };
    const library = { module, function: 'run', in_app: undefined };
    expect(partsOf('java', [own, library])).toEqual(partsOf('java', [own]));
    expect(partsOf('java', [own, { ...library, module: `shop.${module}` }])).not.toEqual(
      partsOf('java', [own]),
    );
  });
});

describe('Rust symbols', () => {
  it.each([
    ['shop::parse', 'shop::parse::<f64>'],
    ['shop::parse', 'shop::parse::<shop::Price<f64>>'],
    ['shop::main', 'shop[c14f87a213e14aa]::main'],
    [
      '<shop::Cart as shop::Load>::load',
      '<shop[c14f87a213e14aa]::Cart as shop[c14f87a213e14aa]::Load>::load',
    ],
    ['shop::main', 'shop[4d1b1a5c3f6e0c2b]::main::{closure#0}'],
  ])('%s is %s in v0 mangling', (older, newer) => {
    expect(partsOf('native', [crate(newer)])).toEqual(partsOf('native', [crate(older)]));
  });
});
