<?php
// Installs the throw-away site whose folder is the first argument: tables, one post, pretty addresses. No mail, no network.
$_SERVER['HTTP_HOST'] = '127.0.0.1';
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['REQUEST_URI'] = '/';
$_SERVER['SCRIPT_NAME'] = '/index.php';
$_SERVER['SERVER_PORT'] = '80';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
define('WP_INSTALLING', true);

function wp_new_blog_notification() {}

require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';

wp_install('', 'admin', 'admin@example.org', true, '', 'a throw-away password');
update_option('blogdescription', '');
update_option('permalink_structure', '/%year%/%monthnum%/%day%/%postname%/');
$GLOBALS['wp_rewrite']->init();
flush_rewrite_rules(false);
echo get_bloginfo('version');
