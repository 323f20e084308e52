import { nextRoute } from '@/lib/server/http/next-adapter';
import { rpcNetworks } from '@/lib/server/api/crypto/rpc/networks';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(rpcNetworks);
