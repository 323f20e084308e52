import { nextRoute } from '@/lib/server/http/next-adapter';
import { model } from '@/lib/server/api/model';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(model);
