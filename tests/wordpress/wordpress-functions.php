<?php
// Loads WordPress's own REST and formatting functions without a site or a database, for comparison with ours.
// Reads one base64 line for each call, {"call": …, "args": […]}, and writes what came out as one hexadecimal line.
error_reporting(0);
date_default_timezone_set('UTC');
define('ABSPATH', $argv[1] . '/');
define('WPINC', 'wp-includes');
define('WP_DEBUG', false);
$includes = ABSPATH . WPINC;
foreach (['compat', 'load', 'plugin', 'functions', 'formatting', 'kses', 'pomo/translations', 'l10n', 'class-wp-error', 'http', 'rest-api'] as $file) {
	require_once "$includes/$file.php";
}
foreach (["$includes/Requests/IPv6.php", "$includes/Requests/src/Ipv6.php"] as $file) {
	if (is_file($file)) require_once $file;
}
function wp_cache_get() { return ['blog_charset' => 'UTF-8']; }
add_filter('pre_option', fn ($value, $name) => $name === 'blog_charset' ? 'UTF-8' : '', 10, 2);
add_filter('wp_sprintf', 'wp_sprintf_l', 10, 2);
add_filter('pre_kses', 'wp_pre_kses_less_than');

function dump($value) {
	if ($value instanceof WP_Error) return 'error ' . $value->get_error_code();
	if ($value === null) return 'n';
	if (is_bool($value)) return $value ? 't' : 'f';
	if (is_int($value)) return "i$value";
	if (is_float($value)) return 'd' . bin2hex(pack('E', $value));
	if (is_string($value)) return 's' . bin2hex($value);
	$out = 'a{';
	foreach ($value as $key => $member) $out .= bin2hex((string) $key) . '=' . dump($member) . ';';
	return "$out}";
}

function verdict($value, $schema) {
	$valid = rest_validate_value_from_schema($value, $schema, 'p');
	if (!is_wp_error($valid)) return 'valid ' . dump(rest_sanitize_value_from_schema($value, $schema, 'p'));
	return $valid->get_error_code() . '|' . $valid->get_error_message() . '|' . dump($valid->get_error_data());
}

while (($line = fgets(STDIN)) !== false) {
	[$call, $args] = array_values(json_decode(base64_decode(rtrim($line)), true));
	try {
		$result = $call === 'verdict' ? verdict(...$args) : dump($call(...$args));
	} catch (Throwable $error) {
		$result = 'throws';
	}
	echo bin2hex($result), "\n";
}
