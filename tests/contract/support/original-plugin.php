<?php
/**
 * Plugin Name: Another notifier
 * Description: A plugin that keeps the specification and decides everything else otherwise: statuses, codes, sentences,
 *              identifiers, arguments, limits. The contract suite is run against it, and its dialect is learned.
 */

defined( 'ABSPATH' ) || exit;

const ANOTHER_LIMIT = 45;

add_action( 'rest_api_init', 'another_register' );
add_filter(
	'rest_allowed_cors_headers',
	static function ( $headers ) {
		return array_merge( $headers, array( 'X-Notifier-Key' ) );
	}
);
add_filter(
	'rest_post_dispatch',
	static function ( $response ) {
		$response->header( 'X-Another-Notifier', 'yes' );
		return $response;
	}
);

function another_register() {
	$text  = array( 'type' => 'string', 'required' => true );
	$proof = '/domain-verifications/(?P<proof>[a-z0-9_]+)';
	another_post( '/store', 'public', 'another_store', array( 'message' => $text + array( 'maxLength' => 5000 ), 'platform' => $text ) );
	another_post( '/envelope', 'public', 'another_envelope', array() );
	another_post( '/feedback', 'public', 'another_feedback', array( 'message' => $text, 'domain' => $text ) );
	another_post( '/sdk-verify', 'public', 'another_verify', array( 'sdk' => array( 'type' => 'object', 'required' => true ) ) );
	another_post( '/releases', 'secret', 'another_record', array( 'version' => $text + array( 'minLength' => 3 ) ) );
	another_post( '/deploys', 'secret', 'another_record', array( 'version' => $text, 'environment' => $text + array( 'enum' => array( 'live', 'development' ) ) ) );
	another_post( '/test-runs', 'secret', 'another_record', array( 'status' => $text + array( 'enum' => array( 'passed', 'failed' ) ) ) );
	another_post( '/domain-verifications', 'secret', 'another_proof', array( 'domain' => $text ) );
	another_route( $proof, 'GET', 'secret', 'another_proof_read', array() );
	another_post( $proof . '/check', 'secret', 'another_proof_check', array() );
}

function another_post( $path, $key, $callback, $args ) {
	another_route( $path, 'POST', $key, $callback, $args );
}

function another_route( $path, $method, $key, $callback, $args ) {
	$permission = static function ( $request ) use ( $key ) {
		$given = 'public' === $key ? $request->get_header( 'X-Notifier-Key' ) : $request->get_header( 'Authorization' );
		$right = 'public' === $key ? ANOTHER_PUBLIC_KEY : 'Bearer ' . ANOTHER_SECRET_KEY;
		if ( $given === $right ) {
			return true;
		}
		return new WP_Error( 'rest_forbidden', "This needs the $key key of a project.", array( 'status' => 401, 'key' => $key ) );
	};
	$limited    = static function ( $request ) use ( $path, $key, $callback ) {
		if ( 'public' === $key && another_count( $path ) > ANOTHER_LIMIT ) {
			return new WP_Error( 'notifier_slow_down', 'Slow down, please.', array( 'status' => 429, 'seconds' => 3600 ) );
		}
		return $callback( $request );
	};
	register_rest_route(
		'notifier/v1',
		$path,
		array( 'methods' => $method, 'callback' => $limited, 'permission_callback' => $permission, 'args' => $args )
	);
}

/** Counts calls of one name, and says how many there were. */
function another_count( $name ) {
	$count = 1 + (int) get_option( "another_count_$name", 0 );
	update_option( "another_count_$name", $count, false );
	return $count;
}

function another_event( $message ) {
	$option = 'another_issue_' . md5( $message );
	$issue  = (int) get_option( $option, 0 );
	if ( ! $issue ) {
		$issue = another_count( 'issues' );
		update_option( $option, $issue, false );
	}
	return new WP_REST_Response( array( 'issue_id' => $issue, 'accepted' => true, 'event_id' => wp_generate_uuid4() ), 202 );
}

function another_store( $request ) {
	return another_event( $request['message'] );
}

function another_envelope( $request ) {
	$lines = explode( "\n", $request->get_body() );
	$event = isset( $lines[2] ) ? json_decode( $lines[2], true ) : null;
	if ( ! is_array( $event ) || ! isset( $event['message'] ) ) {
		return new WP_Error( 'another_bad_envelope', 'That is no envelope with an event.', array( 'status' => 400 ) );
	}
	return another_event( $event['message'] );
}

function another_feedback( $request ) {
	if ( 'shop.example' !== $request['domain'] ) {
		return new WP_Error( 'another_reports_off', 'Nobody reads reports about that site.', array( 'status' => 403 ) );
	}
	return array( 'accepted' => true, 'report_id' => another_count( 'reports' ) );
}

function another_verify() {
	return array(
		'accepted' => true,
		'features' => array( 'replay' => false ),
		'numbers'  => array( 'events' => (int) get_option( 'another_count_/store', 0 ) ),
	);
}

function another_record( $request ) {
	$names = array( '/notifier/v1/releases' => 'release_number', '/notifier/v1/deploys' => 'deploy_id', '/notifier/v1/test-runs' => 'test_run_id' );
	$name  = $names[ $request->get_route() ];
	return array( 'accepted' => true, $name => another_count( $name ) );
}

function another_proof( $request ) {
	$proof = 'p' . substr( md5( $request['domain'] ), 0, 9 );
	update_option( "another_proof_$proof", $request['domain'], false );
	return new WP_REST_Response( array( 'accepted' => true, 'proof_id' => $proof, 'domain' => $request['domain'] ), 201 );
}

function another_found( $request ) {
	$domain = get_option( 'another_proof_' . $request['proof'] );
	return $domain ? $domain : new WP_Error( 'another_no_proof', 'There is no such proof.', array( 'status' => 404 ) );
}

function another_proof_read( $request ) {
	$domain = another_found( $request );
	return is_wp_error( $domain ) ? $domain : array( 'proof_id' => $request['proof'], 'domain' => $domain );
}

function another_proof_check( $request ) {
	$domain = another_found( $request );
	return is_wp_error( $domain ) ? $domain : array( 'proof_id' => $request['proof'], 'verified' => false );
}
