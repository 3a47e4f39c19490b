// Addresses, as a visitor writes them, and whose they are: the table that every proxy's files are held
// against.

/** The ways in which WordPress would be asked for one route. */
export const formsOfOurs = [
  '/wp-json/notifier/v1/store',
  '/wp-json/notifier/v1/store/',
  '//wp-json/notifier/v1/store',
  '///wp-json/notifier/v1/store',
  '/index.php/wp-json/notifier/v1/store',
  '/wp-j%73on/notifier/v1/store',
  '/wp-json/NOTIFIER/V1/STORE',
  '/?rest_route=/notifier/v1/store',
  '/?rest_route=%2Fnotifier%2Fv1%2Fstore',
  '/?rest_route=%2fnotifier%2fv1%2fstore',
  '/?rest_route=/n%6Ftifier/v%31/st%6Fre',
  '/?rest_route=/NOTIFIER/V1/STORE',
  '/?rest%5Froute=/notifier/v1/store',
  '/?rest.route=/notifier/v1/store',
  '/?a=1&rest_route=/notifier/v1/store&b=2',
  '/index.php?rest_route=/notifier/v1/store',
  '/index.php?rest_route=%2Fnotifier%2Fv1%2Fstore',
  '/some/page/?rest_route=/notifier/v1/store',
  '/some/page?rest_route=%2Fnotifier%2Fv1%2Fstore',
  '/wp-json/wp/v2/types?rest_route=/notifier/v1/store',
  '/?rest_route=/wp/v2/types&rest_route=/notifier/v1/store',
  '/?rest_route=/wp/v2/types&rest_route=%2Fnotifier%2Fv1%2Fstore',
  '/wp-json/notifier/v1/artifacts/../store?rest_route=/notifier/v1/store',
];

/** In the namespace, but no route: the path inside is taken as it was sent. */
export const formsWithoutRoute = [
  '/wp-json//notifier/v1/store',
  '/wp-json/notifier%2Fv1/store',
  '/wp-json/notifier/v1/st%6Fre',
  '/wp-json/notifier/v1//store',
  '/?rest_route=//notifier/v1/store',
  '/wp-json/x/../notifier/v1/store',
];

/** What is not the namespace's, however near it comes. */
export const formsOfWordPress = [
  '/wp-json/',
  '/wp-json',
  '/wp-json/wp/v2/types',
  '/wp-json/notifier/v10',
  '/wp-json/notifier/v10/store',
  '/wp-json/notifier',
  '/WP-JSON/notifier/v1/store',
  '/index.php/wp-json/wp/v2/types',
  '/?rest_route=/wp/v2/types',
  '/?rest_route=/notifier/v10/store',
  '/?rest_route=/notifier/v1/store&rest_route=/wp/v2/types',
  '/?rest_route=/notifier/v1/store&rest_route[]=x',
  '/wp-json/notifier/v1/store?rest_route=/wp/v2/types',
  '/?xrest_route=/notifier/v1/store',
  '/?REST_ROUTE=/notifier/v1/store',
  '/?q=rest_route=/notifier/v1/store',
  '/some/page/wp-json/notifier/v1/store',
  '/wp-login.php?rest_route=/notifier/v1/store',
  '/',
  '/some/page/',
  '/?p=1',
  '/notifier/v1/store',
];
