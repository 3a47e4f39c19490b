// What goes wrong in the app of Harbour & Pine, a web view within a native shell. Texts alone.
import type { IssueTemplate } from './template.ts';

export const mobileShell: readonly IssueTemplate[] = [
  {
    key: 'menu-stack',
    slug: 'mobile-shell',
    type: 'RangeError',
    value: 'Maximum call stack size exceeded',
    frames: [
      {
        fn: 'flattenTree',
        file: 'src/menu/tree.ts',
        line: 33,
        code: 'export function flattenTree(node: Node): Node[] {\n>  return [node, ...node.children.flatMap(flattenTree)];\n}',
        vars: { depth: 10942 },
      },
    ],
  },
  {
    key: 'offline',
    slug: 'mobile-shell',
    type: 'NetworkError',
    value: 'The Internet connection appears to be offline.',
    level: 'warning',
    frames: [
      {
        fn: 'request',
        file: 'src/api/client.ts',
        line: 44,
        code: '>const answer = await fetch(base + path, init);',
        vars: { path: '/baskets/current', online: false },
      },
    ],
  },
  {
    key: 'camera-native',
    slug: 'mobile-shell',
    type: 'SIGSEGV',
    value: 'Segmentation fault: invalid address 0x0000000000000018',
    level: 'fatal',
    frames: [],
    stack: 'native',
  },
  {
    key: 'keychain',
    slug: 'mobile-shell',
    type: 'KeychainError',
    value: 'errSecInteractionNotAllowed (-25308)',
    frames: [
      {
        fn: 'readToken',
        file: 'src/auth/keychain.ts',
        line: 21,
        code: ">const token = await Keychain.get({ key: 'session' });",
      },
    ],
  },
  {
    key: 'anr',
    slug: 'mobile-shell',
    type: 'ApplicationNotResponding',
    value: 'Background thread was blocked for more than 5 s',
    level: 'warning',
    frames: [
      {
        fn: 'MainActivity.onResume',
        file: 'android/app/MainActivity.kt',
        line: 58,
        code: '>database.readableDatabase.use { it.vacuum() }',
      },
    ],
  },
  {
    key: 'push-token',
    slug: 'mobile-shell',
    type: 'PushError',
    value: 'token was not registered',
    frames: [
      {
        fn: 'register',
        file: 'src/push/register.ts',
        line: 27,
        code: ">throw new PushError('token was not registered');",
      },
    ],
  },
  {
    key: 'splash-timeout',
    slug: 'mobile-shell',
    type: 'Error',
    value: 'splash screen was hidden twice',
    level: 'info',
    frames: [
      {
        fn: 'hideSplash',
        file: 'src/app/splash.ts',
        line: 8,
        code: '>await SplashScreen.hide({ fadeOutDuration: 200 });',
      },
    ],
  },
];
