"""OpenStack Swift with its S3 interface on loopback: python3 swift-s3.py PORT FOLDER SECRET_KEY

All servers run in this process. Signatures and digests of bodies are checked as in production. The access key is test:tester.
"""

import os
import subprocess
import sys

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi  # noqa: E402
from paste.deploy import loadapp  # noqa: E402

port, folder, secret = sys.argv[1:]
devices = os.path.join(folder, "devices")
os.makedirs(os.path.join(devices, "d1"))


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


swift_conf = write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = suffix\nswift_hash_path_prefix = prefix\n")
listeners = {name: eventlet.listen(("127.0.0.1", 0)) for name in ("account", "container", "object")}
for name, listener in listeners.items():
    device = "r1z1-127.0.0.1:%d/d1" % listener.getsockname()[1]
    for command in (["create", "2", "1", "0"], ["add", device, "1"], ["rebalance"]):
        builder = os.path.join(folder, name + ".builder")
        subprocess.check_call(["swift-ring-builder", builder] + command, stdout=subprocess.DEVNULL)

from swift.common import storage_policy, utils  # noqa: E402

utils.SWIFT_CONF_FILE = swift_conf
utils.validate_configuration()
storage_policy.reload_storage_policies()

DEFAULT = "[DEFAULT]\nswift_dir = %s\ndevices = %s\nmount_check = false\nlog_level = CRITICAL\n" % (folder, devices)
FILTERS = ["catch_errors", "gatekeeper", "s3api", "tempauth", "copy", "slo", "dlo"]
OPTIONS = {"s3api": "location = eu-test-1\nstorage_domain = s3.localhost", "tempauth": "user_test_tester = %s .admin" % secret}
proxy = DEFAULT + "[pipeline:main]\npipeline = %s proxy-server\n" % " ".join(FILTERS)
proxy += "[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n"
for name in FILTERS:
    proxy += "[filter:%s]\nuse = egg:swift#%s\n%s\n" % (name, name, OPTIONS.get(name, ""))


class Cache:
    """Replaces memcached, which the authentication requires."""

    def __init__(self):
        self.values = {}

    def get(self, key, *_args, **_options):
        return self.values.get(key)

    def set(self, key, value, *_args, **_options):
        self.values[key] = value

    def delete(self, key, *_args, **_options):
        self.values.pop(key, None)


def with_cache(app):
    cache = Cache()

    def call(environ, start_response):
        environ["swift.cache"] = cache
        return app(environ, start_response)

    return call


for name, listener in listeners.items():
    conf = write(name + "-server.conf", DEFAULT + "[app:main]\nuse = egg:swift#%s\n" % name)
    eventlet.spawn(wsgi.server, listener, loadapp("config:" + conf), log_output=False)
app = with_cache(loadapp("config:" + write("proxy-server.conf", proxy)))
wsgi.server(eventlet.listen(("127.0.0.1", int(port))), app, log_output=False)
