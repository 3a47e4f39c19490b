// Errors of browser extensions and of scripts that others inject into pages (Sentry's list).
import type { ExceptionValue } from '../../../schemas/event.ts';
import { cutText } from '../parsing/cut-text.ts';

const textCharactersMax = 2_048;

const messages = new RegExp(
  [
    String.raw`top\.GLOBALS`,
    'originalCreateNotification',
    String.raw`canvas\.contentDocument`,
    'MyApp_RemoveAllHighlights',
    String.raw`http://tt\.epicplay\.com`,
    "Can't find variable: ZiteReader",
    'jigsaw is not defined',
    'ComboSearch is not defined',
    String.raw`http://loading\.retry\.widdit\.com/`,
    'atomicFindClose',
    'fb_xd_fragment',
    'bmi_SafeAddOnload',
    'EBCallBackMessageReceived',
    '_gCrWeb',
    'conduitPage',
    String.raw`null is not an object \(evaluating 'elt\.parentNode'\)`,
    String.raw`plugin\.setSuspendState is not a function`,
    'Extension context invalidated',
    'webkit-masked-url:',
    "can't access dead object",
  ].join('|'),
  'i',
);

/** In the address of the newest frame that has one. */
const sources = new RegExp(
  [
    '^(?:chrome|chrome-extension|moz-extension|safari-extension|safari-web-extension|ms-browser-extension)://',
    'webkit-masked-url',
    String.raw`graph\.facebook\.com`,
    String.raw`connect\.facebook\.net`,
    String.raw`eatdifferent\.com\.woopra-ns\.com`,
    String.raw`static\.woopra\.com/js/woopra\.js`,
    String.raw`127\.0\.0\.1:4001/isrunning`,
    String.raw`webappstoolbarba\.texthelp\.com/`,
    String.raw`metrics\.itunes\.apple\.com\.edgesuite\.net/`,
    String.raw`kaspersky-labs\.com`,
  ].join('|'),
  'i',
);

const withoutSource = new Set(['<anonymous>', '[native code]']);

export function isOfBrowserExtension(exceptions: readonly ExceptionValue[]): boolean {
  return exceptions.some(
    (exception) =>
      messages.test(cutText(exception.value ?? '', textCharactersMax)) ||
      sources.test(cutText(sourceOf(exception), textCharactersMax)),
  );
}

function sourceOf({ stacktrace }: ExceptionValue): string {
  const frame = stacktrace?.frames.findLast(
    ({ abs_path: path, filename }) => !withoutSource.has(path ?? filename ?? '<anonymous>'),
  );
  return frame?.abs_path ?? frame?.filename ?? '';
}
