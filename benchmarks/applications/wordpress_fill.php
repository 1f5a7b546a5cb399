<?php
// Fills a WordPress from a plan in JSON on standard input; prints the paths of all content as JSON.
$_SERVER['HTTP_HOST'] = 'wordpress.test';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
$_SERVER['REQUEST_METHOD'] = 'GET';
$plan = json_decode(stream_get_contents(STDIN), true);

define('WP_INSTALLING', true);
define('WP_SITEURL', 'http://wordpress.test');
require __DIR__ . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
add_filter('pre_wp_mail', '__return_true');  // No mail.

wp_install('Manuals and more', 'editor', 'editor@example.org', true, '', 'not a secret');
foreach ([1, 2, 3] as $sample) wp_delete_post($sample, true);
switch_theme('twentytwentyone');
$options = [
    'siteurl' => 'http://wordpress.test', 'home' => 'http://wordpress.test',
    'permalink_structure' => '/%year%/%monthnum%/%postname%/',
    'page_comments' => 1, 'comments_per_page' => 10, 'default_comments_page' => 'oldest',
    'thread_comments' => 1, 'show_avatars' => 0, 'comment_moderation' => 0, 'comment_previously_approved' => 0,
    'widget_calendar' => [2 => ['title' => 'Calendar'], '_multiwidget' => 1],
    'widget_archives' => [2 => ['title' => 'Archives', 'count' => 1], '_multiwidget' => 1],
    'widget_categories' => [2 => ['title' => 'Categories', 'hierarchical' => 1], '_multiwidget' => 1],
    'widget_tag_cloud' => [2 => ['title' => 'Tags', 'taxonomy' => 'post_tag'], '_multiwidget' => 1],
    'widget_recent-comments' => [2 => ['title' => 'Comments', 'number' => 5], '_multiwidget' => 1],
    'widget_meta' => [2 => ['title' => 'Meta'], '_multiwidget' => 1],
    'sidebars_widgets' => [
        'wp_inactive_widgets' => [],
        'sidebar-1' => ['calendar-2', 'archives-2', 'categories-2', 'tag_cloud-2', 'recent-comments-2', 'meta-2'],
        'array_version' => 3,
    ],
];
foreach ($options as $name => $value) update_option($name, $value);
global $wp_rewrite;
$wp_rewrite->init();
$wp_rewrite->flush_rules(false);

$authors = [];
foreach ($plan['authors'] as $name) {
    $authors[$name] = wp_insert_user(['user_login' => $name, 'user_pass' => 'x' . $name, 'role' => 'author', 'display_name' => ucfirst($name), 'user_email' => "$name@example.org"]);
}
$categories = [];
foreach ($plan['categories'] as $place => $name) {
    $parent = $place % 3 == 2 ? $categories[$plan['categories'][$place - 1]] : 0;
    $categories[$name] = wp_insert_term($name, 'category', ['parent' => $parent])['term_id'];
}

$ids = [];
$last_page = 0;
foreach ($plan['posts'] as $post) {
    $ids[] = $id = wp_insert_post([
        'post_title' => $post['title'],
        'post_content' => implode("\n<!--nextpage-->\n", $post['parts']),
        'post_status' => 'publish',
        'post_type' => $post['page'] ? 'page' : 'post',
        'post_parent' => $post['page'] && count($ids) % 2 ? $last_page : 0,
        'post_date' => gmdate('Y-m-d H:i:s', $post['date']),
        'post_author' => $authors[$post['author']],
        'post_category' => $post['page'] ? [] : array_map(fn($name) => $categories[$name], $post['categories']),
        'tags_input' => $post['page'] ? [] : $post['tags'],
        'comment_status' => 'open',
    ]);
    if ($post['page'] && !wp_get_post_parent_id($id)) $last_page = $id;
    $said = [];
    foreach ($post['comments'] as $comment) {
        $said[] = wp_insert_comment([
            'comment_post_ID' => $id,
            'comment_author' => $comment['author'],
            'comment_content' => $comment['text'],
            'comment_date' => gmdate('Y-m-d H:i:s', $post['date'] + $comment['after']),
            'comment_parent' => $comment['reply_to'] < 0 ? 0 : $said[$comment['reply_to']],
            'comment_approved' => 1,
        ]);
    }
}

foreach ($plan['posts'] as $place => $post) {
    $picture = '';
    if ($post['picture']) {
        $uploaded = wp_upload_bits(basename($post['picture']), null, file_get_contents($post['picture']), gmdate('Y/m', $post['date']));
        $attached = wp_insert_attachment(['post_mime_type' => 'image/png', 'post_title' => "Picture of {$post['title']}", 'post_content' => "A square for {$post['title']}.", 'post_status' => 'inherit', 'post_author' => $authors[$post['author']]], $uploaded['file'], $ids[$place]);
        $picture = "<a href=\"" . get_attachment_link($attached) . "\"><img src=\"{$uploaded['url']}\" alt=\"\"></a>";
    }
    $content = preg_replace_callback('/\{\{(\d+)\}\}/', function ($found) use ($ids) {
        $other = $ids[(int) $found[1]];
        return '<a href="' . get_permalink($other) . '">' . get_the_title($other) . '</a>';
    }, get_post_field('post_content', $ids[$place]));
    global $wpdb;  // Directly, for an update of WordPress's own would be a revision and a new date.
    $wpdb->update($wpdb->posts, ['post_content' => $picture . $content], ['ID' => $ids[$place]]);
    clean_post_cache($ids[$place]);
}

// The truth, as WordPress has it.
$paths = [];
foreach (get_posts(['post_type' => ['post', 'page', 'attachment'], 'post_status' => ['publish', 'inherit'], 'numberposts' => -1]) as $post) {
    $path = parse_url(get_permalink($post), PHP_URL_PATH);
    $paths[] = $path;
    for ($part = 2; $part <= substr_count($post->post_content, '<!--nextpage-->') + 1; $part++) $paths[] = "$path$part/";
    $top = get_comments(['post_id' => $post->ID, 'status' => 'approve', 'parent' => 0, 'count' => true]);
    for ($part = 2; $part <= ceil($top / 10); $part++) $paths[] = "{$path}comment-page-$part/";
}
echo "\n", json_encode($paths), "\n";
