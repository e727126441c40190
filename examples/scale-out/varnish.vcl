vcl 4.1;

import std;
import xkey;

# nginx, which balances the servers.
backend balancer {
  .host = "balancer";
  .port = "8080";
}

# The servers, which purge.
acl purgers {
  "localhost";
  "10.0.0.0"/8;
  "172.16.0.0"/12;
  "192.168.0.0"/16;
}

sub vcl_recv {
  if (req.method == "PURGE") {
    if (client.ip !~ purgers) {
      return (synth(403));
    }
    set req.http.X-Purged = xkey.purge(req.http.Surrogate-Key);
    return (synth(200));
  }
  # The position of a write: its session reads from a server that has it. The cookie passes the cache as all cookies do.
  if (req.http.X-Octavo-Position) {
    return (pass);
  }
}

sub vcl_backend_fetch {
  # A replica may lag behind the purge: what goes into the cache is read from the primary, as with every position that is not one.
  if (!bereq.uncacheable) {
    set bereq.http.X-Octavo-Position = "primary";
  }
}

sub vcl_backend_response {
  set beresp.http.xkey = beresp.http.Surrogate-Key;
  # While no server answers, for example during a deployment, old responses are better than none.
  set beresp.grace = 1h;
  # An error is not cached, so that the next request is sent again.
  if (beresp.status >= 500) {
    set beresp.uncacheable = true;
    set beresp.ttl = 0s;
    if (bereq.is_bgfetch) {
      return (abandon);
    }
  }
}

sub vcl_deliver {
  unset resp.http.xkey;
  unset resp.http.Surrogate-Key;
  if (obj.hits > 0) {
    set resp.http.X-Cache = "hit";
  } else {
    set resp.http.X-Cache = "miss";
  }
}
