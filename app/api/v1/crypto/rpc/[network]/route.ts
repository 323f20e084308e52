import { nextRoute } from '@/lib/server/http/next-adapter';
import { rpcProxy } from '@/lib/server/api/crypto/rpc/proxy';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(rpcProxy);
