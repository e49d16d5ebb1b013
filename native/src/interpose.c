/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * SCR takes MPI_COMM_WORLD for its world, ignores what MPI returns, and ends the process when something is wrong. All
 * of this goes by symbols that libscr and its components have in their tables of addresses (GOT), one table to a
 * library; so the addresses in there are replaced, right after the libraries have been loaded. Nobody else's tables are
 * touched: the rest of the process has the MPI that it always had. (Libraries that are preloaded, or linked before
 * libmpi, would reach the calls, but neither the world, which is the address of an object, nor only this part of the
 * process.) Of FTI and of KVTree some calls are replaced the same way, and of some components of the Reinit++ fork
 * (reinit/links.c, finalize.c).
 */
#define _GNU_SOURCE
#include "interpose.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define IS_ADDRESS(type) ((type) == R_X86_64_GLOB_DAT || (type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_64)
#elif defined(__aarch64__)
#define IS_ADDRESS(type) ((type) == R_AARCH64_GLOB_DAT || (type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_ABS64)
#else
#error "say which relocations of this machine put a symbol's address in its place"
#endif

static int note(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    struct objects *objects = data;
    if (info->dlpi_name[0] != '\0' && objects->count < MAX_OBJECTS) {
        char *name = strdup(info->dlpi_name);
        if (name != NULL) {
            objects->names[objects->count++] = name;
        }
    }
    return 0;
}

/* The index of a library; -1: it is not among them. */
static int index_of(const struct objects *objects, const char *name) {
    for (int i = 0; i < objects->count; i++) {
        if (strcmp(objects->names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static int is_in(const struct objects *objects, const char *name) {
    return index_of(objects, name) >= 0;
}

struct newer {
    const struct objects *before;
    struct objects *brought;
};

static int note_newer(struct dl_phdr_info *info, size_t size, void *data) {
    struct newer *newer = data;
    return is_in(newer->before, info->dlpi_name) ? 0 : note(info, size, newer->brought);
}

static const char *file_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* The dynamic section of an object; NULL: it has none. */
static const ElfW(Dyn) * dynamic_section(const struct dl_phdr_info *object) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            return (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        }
    }
    return NULL;
}

/* Keeps, among the newer objects, those that the library needs, and those that they need in
 * turn. They are compared by file name, because the loader finds the folder. */
struct needed {
    const struct objects *newer;
    char kept[MAX_OBJECTS];
    int grows;
};

static int keep_needed(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    struct needed *needed = data;
    const ElfW(Dyn) *entries = dynamic_section(info);
    const char *strings = NULL;
    int index = index_of(needed->newer, info->dlpi_name);
    if (index < 0 || !needed->kept[index] || entries == NULL) {
        return 0;
    }
    for (const ElfW(Dyn) *entry = entries; entry->d_tag != DT_NULL; entry++) {
        strings = entry->d_tag == DT_STRTAB ? (const void *)entry->d_un.d_ptr : strings;
    }
    for (const ElfW(Dyn) *entry = entries; strings != NULL && entry->d_tag != DT_NULL; entry++) {
        for (int i = 0; entry->d_tag == DT_NEEDED && i < needed->newer->count; i++) {
            const char *name = file_of(strings + entry->d_un.d_val);
            if (!needed->kept[i] && strcmp(name, file_of(needed->newer->names[i])) == 0) {
                needed->kept[i] = 1;
                needed->grows = 1;
            }
        }
    }
    return 0;
}

/* Drops objects that do not belong to the library: other threads load libraries at the same time
 * (the JVM loads its own when it first needs them). */
static void forget_others(void *library, struct objects *newer) {
    static struct needed needed;
    memset(&needed, 0, sizeof needed);
    needed.newer = newer;
    struct link_map *map = NULL;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) {
        return;
    }
    for (int i = 0; i < newer->count; i++) {
        needed.kept[i] = strcmp(newer->names[i], map->l_name) == 0;
    }
    do {
        needed.grows = 0;
        dl_iterate_phdr(keep_needed, &needed);
    } while (needed.grows);
    int count = 0;
    for (int i = 0; i < newer->count; i++) {
        if (needed.kept[i]) {
            newer->names[count++] = newer->names[i];
        } else {
            free(newer->names[i]);
        }
    }
    newer->count = count;
}

void *open_library(const char *path, struct objects *brought) {
    static struct objects before;
    before.count = 0;
    brought->count = 0;
    dl_iterate_phdr(note, &before);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) {
        struct newer newer = {.before = &before, .brought = brought};
        dl_iterate_phdr(note_newer, &newer);
        forget_others(library, brought);
    }
    forget_objects(&before);
    return library;
}

const char *still_loaded(const struct objects *objects) {
    for (int i = 0; i < objects->count; i++) {
        void *library = dlopen(objects->names[i], RTLD_LAZY | RTLD_NOLOAD);
        if (library != NULL) {
            dlclose(library);
            return objects->names[i];
        }
    }
    return NULL;
}

void forget_objects(struct objects *objects) {
    while (objects->count > 0) {
        free(objects->names[--objects->count]);
    }
}

struct search {
    const struct objects *objects;
    const struct replacement *replacements;
    size_t count;
    int rc;
};

/* Writes an address into the table, which may be read-only by now (RELRO). */
static int put(ElfW(Addr) * place, ElfW(Addr) address, int read_only) {
    uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *page = (void *)((uintptr_t)place & ~(page_bytes - 1));
    if (read_only && mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0) {
        return errno;
    }
    *place = address;
    if (read_only && mprotect(page, page_bytes, PROT_READ) != 0) {
        return errno;
    }
    return 0;
}

static int replace_in(const struct dl_phdr_info *object, const ElfW(Rela) * entries, size_t bytes,
                      const ElfW(Sym) * symbols, const char *strings, const struct search *search) {
    ElfW(Addr) relro_begin = 0, relro_end = 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
            relro_begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
            relro_end = relro_begin + object->dlpi_phdr[i].p_memsz;
            relro_end &= ~((ElfW(Addr))sysconf(_SC_PAGESIZE) - 1); /* a page that is shared with other data is not */
        }
    }
    for (size_t i = 0; i < bytes / sizeof(*entries); i++) {
        if (!IS_ADDRESS(ELF64_R_TYPE(entries[i].r_info))) {
            continue;
        }
        const char *name = strings + symbols[ELF64_R_SYM(entries[i].r_info)].st_name;
        for (size_t r = 0; r < search->count; r++) {
            if (strcmp(name, search->replacements[r].symbol) == 0) {
                ElfW(Addr) place = object->dlpi_addr + entries[i].r_offset;
                int rc = put((ElfW(Addr) *)place, (ElfW(Addr))search->replacements[r].address + entries[i].r_addend,
                             place >= relro_begin && place < relro_end);
                if (rc != 0) {
                    return rc;
                }
            }
        }
    }
    return 0;
}

static int replace_in_object(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    struct search *search = data;
    if (!is_in(search->objects, object->dlpi_name)) {
        return 0;
    }
    ElfW(Addr) table[DT_NUM] = {0};
    for (const ElfW(Dyn) *entry = dynamic_section(object); entry != NULL && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag > 0 && entry->d_tag < DT_NUM) {
            table[entry->d_tag] = entry->d_un.d_ptr;
        }
    }
    const ElfW(Sym) *symbols = (const void *)table[DT_SYMTAB];
    const char *strings = (const void *)table[DT_STRTAB];
    if (symbols == NULL || strings == NULL || (table[DT_JMPREL] != 0 && table[DT_PLTREL] != DT_RELA)) {
        search->rc = ENOTSUP;
        return 1;
    }
    search->rc = replace_in(object, (const void *)table[DT_RELA], table[DT_RELASZ], symbols, strings, search);
    if (search->rc == 0) {
        search->rc = replace_in(object, (const void *)table[DT_JMPREL], table[DT_PLTRELSZ], symbols, strings, search);
    }
    return search->rc != 0;
}

int interpose(const struct objects *objects, const struct replacement *replacements, size_t count) {
    struct search search = {.objects = objects, .replacements = replacements, .count = count};
    dl_iterate_phdr(replace_in_object, &search);
    return search.rc;
}

struct by_file {
    const char *file;
    struct objects *found;
};

static int find_by_file(struct dl_phdr_info *info, size_t size, void *data) {
    struct by_file *wanted = data;
    if (strchr(info->dlpi_name, '/') == NULL || strcmp(file_of(info->dlpi_name), wanted->file) != 0) {
        return 0;
    }
    note(info, size, wanted->found);
    return 1; /* there is no other */
}

int interpose_in(const char *file, const struct replacement *replacements, size_t count) {
    static struct objects one;
    struct by_file wanted = {.file = file, .found = &one};
    dl_iterate_phdr(find_by_file, &wanted);
    int rc = one.count == 0 ? ENOENT : interpose(&one, replacements, count);
    forget_objects(&one);
    return rc;
}
