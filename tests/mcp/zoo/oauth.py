"""A server that wants a login, with its own authorisation server, which grants at once.

Its arguments are a port, a mode, and `sse` for the older transport.
"""

import secrets
import sys
import time

from mcp.server import MCPServer
from mcp.server.auth.provider import AccessToken, AuthorizationCode, RefreshToken, TokenError
from mcp.server.auth.provider import AuthorizeError, construct_redirect_uri
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.shared.auth import OAuthToken

PORT = int(sys.argv[1])
MODE = sys.argv[2] if len(sys.argv) > 2 else "grants"
SSE = sys.argv[3:] == ["sse"]
BASE = f"http://127.0.0.1:{PORT}"


class Provider:
    def __init__(self):
        self.clients, self.codes, self.tokens, self.refresh = {}, {}, {}, {}

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client):
        self.clients[client.client_id] = client

    async def authorize(self, client, params):
        if MODE == "denies":
            raise AuthorizeError("access_denied", "the owner said no")
        code = "code-" + secrets.token_hex(8)
        self.codes[code] = AuthorizationCode(
            code=code,
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(self, client, code):
        return self.codes.get(code)

    def _grant(self, client, scopes, resource):
        access, refresh = "access-" + secrets.token_hex(8), "refresh-" + secrets.token_hex(8)
        life = 1 if MODE == "expires" else 3600
        self.tokens[access] = AccessToken(
            token=access,
            client_id=client.client_id,
            scopes=scopes,
            expires_at=int(time.time()) + life,
            resource=resource,
        )
        self.refresh[refresh] = RefreshToken(
            token=refresh, client_id=client.client_id, scopes=scopes, resource=resource
        )
        return OAuthToken(access_token=access, refresh_token=refresh, expires_in=life)

    async def exchange_authorization_code(self, client, code):
        del self.codes[code.code]
        return self._grant(client, code.scopes, code.resource)

    async def load_refresh_token(self, client, token):
        return self.refresh.get(token)

    async def exchange_refresh_token(self, client, token, scopes):
        if self.refresh.pop(token.token, None) is None:
            raise TokenError("invalid_grant")
        return self._grant(client, scopes, token.resource)

    async def load_access_token(self, token):
        return self.tokens.get(token)

    async def revoke_token(self, token):
        self.tokens.pop(token.token, None)


server = MCPServer(
    "vault",
    version="1",
    auth_server_provider=Provider(),
    auth=AuthSettings(
        issuer_url=BASE,
        resource_server_url=f"{BASE}/sse" if SSE else f"{BASE}/mcp",
        validate_token_resource=False,
        client_registration_options=ClientRegistrationOptions(enabled=True),
    ),
)


@server.tool()
def open_vault() -> str:
    """Open it."""
    return "gold"


server.run("sse" if SSE else "streamable-http", host="127.0.0.1", port=PORT)
