import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Files of an authority and of a certificate that it issued, in PEM. */
export interface TestCertificates {
  authority: string;
  certificate: string;
  key: string;
}

/** Makes an authority and a certificate of its own in a folder, for a host or, as a client's, a user. */
export async function makeCertificates(folder: string, name = 'localhost'): Promise<TestCertificates> {
  const file = (one: string) => join(folder, one);
  await writeFile(file('names'), `subjectAltName=DNS:${name}`);
  const openssl = (line: string) => promisify(execFile)('openssl', line.split(' '), { cwd: folder });
  const newKey = 'req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  await openssl(`${newKey} -x509 -days 2 -subj /CN=authority -keyout ca.key -out ca.pem`);
  await openssl(`${newKey} -subj /CN=${name} -keyout own.key -out own.csr`);
  await openssl(
    'x509 -req -in own.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out own.pem',
  );
  return { authority: file('ca.pem'), certificate: file('own.pem'), key: file('own.key') };
}
