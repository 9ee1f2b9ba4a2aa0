"""The runner of a site: it takes the tasks of its SuperNode and answers them with the bnfuse that is installed here.

Flower's own runner would unpack and run the app that the coordinator ships. This one accepts tasks for ClientApps only,
never reads the shipped app, and has a single way to answer: `Site.answer`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import httpx
from flwr.app import Error, Message
from flwr.common.constant import ErrorCode, SubStatus
from flwr.proto.runtime_pb2 import AcquireTaskRequest
from flwr.supercore.constant import TaskType
from flwr.supercore.heartbeat import HeartbeatSender, make_task_heartbeat_fn_http
from flwr.supercore.interceptors import (
    RuntimeTokenHttpInterceptor,
    RuntimeVersionHttpInterceptor,
    SuperExecAuthHttpInterceptor,
)
from flwr.supercore.protobuf.client import ProtobufClientInterceptor
from flwr.supercore.retry import make_simple_http_retry_invoker
from flwr.supercore.runtime import RuntimeHttpClient
from flwr.supernode.runtime.run_clientapp import pull_task_input, push_message, push_task_output

from bnfuse.federated.flower.app import reply_to, request_in
from bnfuse.federated.site.steps import Site

_TURN = 0.2  # seconds between two checks for tasks
_TRIES = 5
_PROTECTED = frozenset({"/flwr.proto.Runtime/AcquireTask"})
_COMPONENT = "flwr-clientapp"


class Runner:
    """Answers the tasks of one SuperNode on this machine; `secret` keeps other programs from taking them."""

    def __init__(self, address: str, secret: bytes, folder: Path, say: Callable[[str], None]) -> None:
        self._address, self._secret, self._say = address, secret, say
        self._site = Site(folder, say)

    def _connected(self, tries: int, *interceptors: ProtobufClientInterceptor) -> RuntimeHttpClient:
        retrying = make_simple_http_retry_invoker()
        retrying.max_tries = tries  # by default, it would wait forever for a SuperNode that has ended
        return RuntimeHttpClient.from_server_address(
            server_address=self._address,
            insecure=True,  # it is on this machine
            root_certificates=None,
            interceptors=[RuntimeVersionHttpInterceptor(component_name=_COMPONENT), *interceptors],
            retry_invoker=retrying,
        )

    def run(self, goes_on: Callable[[], bool]) -> None:
        """Take tasks as long as the SuperNode runs."""
        auth = SuperExecAuthHttpInterceptor(master_secret=self._secret, protected_methods=_PROTECTED)
        queue = self._connected(1, auth)
        try:
            while goes_on():
                try:
                    task = queue.AcquireTask(AcquireTaskRequest(supported_task_types=[TaskType.CLIENT_APP]))
                    if task.HasField("task") and task.token:
                        self._answer(task.token)
                        continue
                except httpx.HTTPError:
                    pass  # the SuperNode has ended, or is about to start
                time.sleep(_TURN)
        finally:
            queue.close()

    def _answer(self, token: str) -> None:
        """Answer one task; errors are reported to the owner alone."""
        client = self._connected(_TRIES, RuntimeTokenHttpInterceptor(token))
        beat = HeartbeatSender(make_task_heartbeat_fn_http(client))
        beat.start()
        try:
            message, context, run, _shipped = pull_task_input(client)  # what was shipped stays packed
            kind, request = request_in(message)
            status, details = SubStatus.COMPLETED, ""
            try:
                reply = reply_to(message, self._site.answer(kind, request))
            except Exception as error:
                self._say(f"run {run.run_id}: {error!r:.300}")
                reply = Message(Error(ErrorCode.CLIENT_APP_RAISED_EXCEPTION, "refused"), reply_to=message)
                status, details = SubStatus.FAILED, "refused"
            push_message(client, reply, context)
            push_task_output(client=client, context=context, sub_status=status, details=details)
        finally:
            beat.stop()
            client.close()
