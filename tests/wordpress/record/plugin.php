<?php
// The other side of the comparison: a small plugin whose routes are generated from our route table. `{routes}` and `{keys}`
// are filled in as JSON. Handlers tell what they were given.

define('NOTIFIER_ROUTES', <<<'JSON'
{routes}
JSON);
define('NOTIFIER_KEYS', <<<'JSON'
{keys}
JSON);

// Words to WordPress and to our door: no handler of ours is given them from the query.
define('NOTIFIER_META', explode(' ', 'rest_route _method _fields _envelope _pretty _jsonp _embed _locale _wpnonce sentry_key sentry_version sentry_client'));

function notifier_may($credential, $request) {
    $keys = json_decode(NOTIFIER_KEYS, true);
    if ($credential === 'secret') {
        return $request->get_header('authorization') === 'Bearer ' . $keys['secret'];
    }
    return $request->get_header('x_notifier_key') === $keys['public'];
}

function notifier_tell($route, $request) {
    $told = array('method' => $request->get_method(), 'path' => $request->get_url_params());
    if ($route['stream']) {
        return $told;
    }
    $params = $request->get_params();
    $body = $request->get_json_params();
    $form = $request->get_body_params();
    foreach (NOTIFIER_META as $name) {
        if (!isset($body[$name]) && !isset($form[$name])) {
            unset($params[$name]);
        }
    }
    $told['params'] = $params;
    return $told;
}

function notifier_parse_unless_absent($value, $request, $name) {
    $absent = null === $value || (is_string($value) && trim($value) === '');
    return $absent ? $value : rest_parse_request_arg($value, $request, $name);
}

add_action('rest_api_init', function () {
    foreach (json_decode(NOTIFIER_ROUTES, true) as $route) {
        $args = $route['args'];
        foreach ($route['lenient'] as $name) {
            $args[$name]['sanitize_callback'] = 'notifier_parse_unless_absent';
        }
        register_rest_route('notifier/v1', $route['pattern'], array(
            'methods' => $route['method'],
            'args' => $args,
            'show_in_index' => !$route['hidden'],
            'permission_callback' => function ($request) use ($route) {
                return notifier_may($route['credential'], $request);
            },
            'callback' => function ($request) use ($route) {
                return notifier_tell($route, $request);
            },
        ));
    }
});

// D-27: what the secret reads, no cache on the way keeps.
add_filter('rest_send_nocache_headers', function ($send) {
    $is_read = in_array($_SERVER['REQUEST_METHOD'], array('GET', 'HEAD'), true);
    return $send || ($is_read && 1 === preg_match('/^bearer\b/i', $_SERVER['HTTP_AUTHORIZATION'] ?? ''));
});
add_filter('rest_exposed_cors_headers', function ($names) {
    return array_merge($names, array('Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Sentry-Rate-Limits'));
});
add_filter('rest_allowed_cors_headers', function ($names) {
    $ours = array('X-Notifier-Key', 'X-Notifier-Explain', 'X-Sentry-Auth', 'Content-Encoding');
    return array_merge($names, $ours, array('Baggage', 'Sentry-Trace', 'Traceparent', 'Tracestate'));
});
