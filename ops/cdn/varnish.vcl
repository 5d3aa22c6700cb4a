vcl 4.1;

# Varnish 7.1 in front of the API: see "Behind a CDN" in docs/deployment.md.

import std;

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

sub vcl_recv {
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
    set beresp.grace = 0s;
    if (beresp.http.cache-control ~ "stale-if-error=\d+") {
        set beresp.grace = std.duration(regsub(beresp.http.cache-control, "^.*stale-if-error=(\d+).*$", "\1s"), 0s);
    }
    # For asking again by entity tag.
    set beresp.keep = 7d;
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
}
