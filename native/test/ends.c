/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * For tests: ends of a process that only native code brings about, as a library under a Java program may.
 */
#include <jni.h>
#include <stdlib.h>

JNIEXPORT void JNICALL Java_org_kintsugi_ci_recovery_WaysToEnd_nativeExit(JNIEnv *env, jclass self, jint code) {
    (void)env, (void)self;
    exit(code);
}

JNIEXPORT void JNICALL Java_org_kintsugi_ci_recovery_WaysToEnd_nativeAbort(JNIEnv *env, jclass self) {
    (void)env, (void)self;
    abort();
}

JNIEXPORT void JNICALL Java_org_kintsugi_ci_recovery_WaysToEnd_nativeCrash(JNIEnv *env, jclass self) {
    (void)env, (void)self;
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}
