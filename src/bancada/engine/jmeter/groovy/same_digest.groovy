// SPDX-License-Identifier: Apache-2.0
// The answer's SHA-256 must be what Parameters says.
import java.security.MessageDigest

if (SampleResult.responseCode.isInteger()) {
    byte[] digest = MessageDigest.getInstance('SHA-256').digest(SampleResult.responseData)
    if (digest.encodeHex().toString() != Parameters) {
        AssertionResult.failure = true
        AssertionResult.failureMessage = 'unexpected bytes (digest)'
    }
}
