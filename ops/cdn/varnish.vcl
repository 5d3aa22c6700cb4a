vcl 4.1;

# Varnish 7.1, with the vmod xkey of varnish-modules 0.20, in front of the API: see "Behind a CDN" in docs/deployment.md.
# APIs and workers need CDN_TAGS=on and CDN_PURGE_URL=http://<this Varnish>/cdn/purge.

import std;
import xkey;

backend api {
    .host = "127.0.0.1";
    .port = "8080";
    .probe = {
        .url = "/health/ready";
        .interval = 5s;
        .timeout = 2s;
        .window = 4;
        .threshold = 2;
        .initial = 2;
    }
}

# Who may purge: the workers.
acl workers {
    "localhost";
}

sub vcl_recv {
    if (req.url == "/cdn/purge") {
        if (req.method != "POST" || client.ip !~ workers) {
            return (synth(403));
        }
        # Softly: what is purged is still there while it is fetched again, and while the API is down.
        set req.http.purged = xkey.softpurge(req.http.surrogate-key);
        return (synth(200));
    }
    # Prometheus scrapes each API directly.
    if (req.url ~ "^/metrics") {
        return (synth(404));
    }

    # How stale an answer may be: what stale-while-revalidate says, and while the API is down, what stale-if-error says.
    if (req.restarts == 0) {
        unset req.http.api-failed;
    }
    set req.grace = 60s;
    if (req.http.api-failed || !std.healthy(req.backend_hint)) {
        set req.grace = 1d;
    }

    # Rates depend on no cookie and on no order of parameters, and are JSON unless the client asks for more.
    if (req.url ~ "^/v[12]/") {
        unset req.http.cookie;
        set req.url = std.querysort(req.url);
        if (req.http.accept ~ "^\s*(\*/\*|application/json)\s*$") {
            unset req.http.accept;
        }
    }
}

sub vcl_backend_response {
    if (beresp.status >= 500 || beresp.status == 429) {
        call api_failed;
        set beresp.ttl = 0s;
        set beresp.grace = 0s;
        set beresp.keep = 0s;
        return (deliver);
    }
    # RFC 9213: what is said to CDNs alone.
    if (beresp.http.cdn-cache-control ~ "^max-age=\d+") {
        set beresp.ttl = std.duration(regsub(beresp.http.cdn-cache-control, "^max-age=(\d+).*$", "\1s"), 0s);
    }
    set beresp.grace = 0s;
    if (beresp.http.cache-control ~ "stale-if-error=\d+") {
        set beresp.grace = std.duration(regsub(beresp.http.cache-control, "^.*stale-if-error=(\d+).*$", "\1s"), 0s);
    }
    # For asking again by entity tag.
    set beresp.keep = 7d;
    set beresp.http.xkey = beresp.http.surrogate-key;
    # These are of the one request that fetched it.
    unset beresp.http.ratelimit;
    unset beresp.http.ratelimit-policy;
}

sub vcl_backend_error {
    call api_failed;
}

# An error in place of an answer would end it: it stays, however stale, and vcl_synth looks for it. Without one the API is
# asked once more, and what it says then is sent.
sub api_failed {
    if (bereq.is_bgfetch || (!bereq.uncacheable && !bereq.http.api-failed)) {
        return (abandon);
    }
}

sub vcl_deliver {
    if (resp.http.cdn-cache-control) {
        # Nobody purges clients. They count their minutes from now on, but never beyond midnight, when this expires too.
        unset resp.http.age;
        if (obj.ttl <= 0s) {
            set resp.http.cache-control = regsub(resp.http.cache-control, "max-age=\d+", "max-age=0");
        } elsif (obj.ttl < 300s) {
            set resp.http.cache-control = regsub(resp.http.cache-control, "max-age=\d+",
                "max-age=" + std.integer(duration = obj.ttl));
        }
    }
    unset resp.http.cdn-cache-control;
    unset resp.http.surrogate-key;
    unset resp.http.cache-tag;
    unset resp.http.xkey;
    if (obj.hits > 0) {
        set resp.http.cache-status = "varnish; hit";
    } else {
        set resp.http.cache-status = "varnish; fwd=miss";
    }
}

sub vcl_synth {
    if (resp.status == 503 && req.restarts == 0) {
        set req.http.api-failed = "1";
        return (restart);
    }
    set resp.http.cache-control = "no-store";
    if (req.http.purged) {
        set resp.http.content-type = "application/json";
        synthetic({"{"purged":"} + req.http.purged + "}");
        return (deliver);
    }
}
