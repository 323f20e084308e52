import { DEFAULT_PAGE_BRAND, type PageBrand } from '@/lib/protocol/brand';
import { startedApi } from './served-api';

export function pageBrand(): PageBrand {
  return startedApi()?.brand ?? DEFAULT_PAGE_BRAND;
}
