import { nextRoute } from '@/lib/server/http/next-adapter';
import { sandboxWalletRpc } from '@/lib/server/api/sandbox/wallet-rpc';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(sandboxWalletRpc);
